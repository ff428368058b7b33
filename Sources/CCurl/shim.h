#ifndef COUNTERFOIL_CURL_SHIM_H
#define COUNTERFOIL_CURL_SHIM_H

// These two come first: the module must agree with glibc's about fd_set.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <stddef.h>
#include <string.h>
#include <curl/curl.h>

// What one transfer is told. The pointers are needed only until counterfoil_curl_prepare returns,
// except context.
struct counterfoil_curl_request {
    const char *url;
    const char *method;
    const void *body;          // NULL for a request without content
    size_t body_size;
    struct curl_slist *fields; // kept until the transfer's end
    long connect_milliseconds;
    long whole_milliseconds;
    curl_off_t most_bytes;
    const char *proxy;         // "" for none, NULL for what the environment says
    const void *authorities;   // PEM; NULL for the system's
    size_t authorities_size;
    void *context;             // given to the functions
    curl_write_callback take_body;
    curl_write_callback take_field;
    curl_opensocket_callback open_socket;
};

// curl_easy_setopt is variadic; this is every option that is set, in one place.
static inline CURLcode counterfoil_curl_prepare(
    CURL *handle,
    const struct counterfoil_curl_request *request)
{
#define COUNTERFOIL_SET(option, value) \
    do { \
        CURLcode result_ = curl_easy_setopt(handle, option, value); \
        if (result_ != CURLE_OK) return result_; \
    } while (0)
    // No signals in a process with threads; no file of passwords; the path as it is written.
    COUNTERFOIL_SET(CURLOPT_NOSIGNAL, 1L);
    COUNTERFOIL_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
    COUNTERFOIL_SET(CURLOPT_PATH_AS_IS, 1L);
    COUNTERFOIL_SET(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    // Nothing but HTTP, one version of it, and nowhere but where it was sent.
    COUNTERFOIL_SET(CURLOPT_PROTOCOLS_STR, "http,https");
    COUNTERFOIL_SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    COUNTERFOIL_SET(CURLOPT_HTTP09_ALLOWED, 0L);
    COUNTERFOIL_SET(CURLOPT_FOLLOWLOCATION, 0L);
    COUNTERFOIL_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    COUNTERFOIL_SET(CURLOPT_SSL_VERIFYPEER, 1L);
    COUNTERFOIL_SET(CURLOPT_SSL_VERIFYHOST, 2L);
    if (request->authorities) {
        struct curl_blob blob;
        blob.data = (void *)request->authorities;
        blob.len = request->authorities_size;
        blob.flags = CURL_BLOB_COPY;
        COUNTERFOIL_SET(CURLOPT_CAINFO_BLOB, &blob);
        COUNTERFOIL_SET(CURLOPT_CAPATH, (char *)NULL);
    }
    if (request->proxy) {
        COUNTERFOIL_SET(CURLOPT_PROXY, request->proxy);
        COUNTERFOIL_SET(CURLOPT_NOPROXY, "");
    }
    COUNTERFOIL_SET(CURLOPT_CONNECTTIMEOUT_MS, request->connect_milliseconds);
    COUNTERFOIL_SET(CURLOPT_TIMEOUT_MS, request->whole_milliseconds);
    COUNTERFOIL_SET(CURLOPT_MAXFILESIZE_LARGE, request->most_bytes);
    // The system may still be looking up a name when nobody waits for it any more.
    COUNTERFOIL_SET(CURLOPT_QUICK_EXIT, 1L);
    COUNTERFOIL_SET(CURLOPT_URL, request->url);
    COUNTERFOIL_SET(CURLOPT_HTTPHEADER, request->fields);
    if (request->body) {
        COUNTERFOIL_SET(CURLOPT_POST, 1L);
        COUNTERFOIL_SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
        COUNTERFOIL_SET(CURLOPT_COPYPOSTFIELDS, (const char *)request->body);
    }
    if (strcmp(request->method, "HEAD") == 0)
        COUNTERFOIL_SET(CURLOPT_NOBODY, 1L);
    else
        COUNTERFOIL_SET(CURLOPT_CUSTOMREQUEST, request->method);
    COUNTERFOIL_SET(CURLOPT_PRIVATE, request->context);
    COUNTERFOIL_SET(CURLOPT_WRITEFUNCTION, request->take_body);
    COUNTERFOIL_SET(CURLOPT_WRITEDATA, request->context);
    COUNTERFOIL_SET(CURLOPT_HEADERFUNCTION, request->take_field);
    COUNTERFOIL_SET(CURLOPT_HEADERDATA, request->context);
    COUNTERFOIL_SET(CURLOPT_OPENSOCKETFUNCTION, request->open_socket);
    COUNTERFOIL_SET(CURLOPT_OPENSOCKETDATA, request->context);
#undef COUNTERFOIL_SET
    return CURLE_OK;
}

// curl_easy_getinfo is variadic; each function below asks one of its questions.
static inline void *counterfoil_curl_context(CURL *handle)
{
    char *context = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context);
    return context;
}

static inline long counterfoil_curl_status(CURL *handle)
{
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}

// Whether the connection, with its TLS, stood before the transfer ended.
static inline int counterfoil_curl_was_connected(CURL *handle)
{
    curl_off_t microseconds = 0;
    curl_easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
    return microseconds > 0;
}

// The next transfer that has ended, and how; NULL when there is none. The message is a union.
static inline CURL *counterfoil_curl_next_ended(CURLM *multi, CURLcode *result)
{
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)))
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    return NULL;
}

// curl_multi_setopt is variadic.
static inline void counterfoil_curl_keep_connections(CURLM *multi, long most)
{
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, most);
}

// The macro's value casts, which Swift does not see.
static const curl_socket_t counterfoil_curl_bad_socket = CURL_SOCKET_BAD;

#endif
