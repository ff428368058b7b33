#ifndef COUNTERFOIL_MICROHTTPD_SHIM_H
#define COUNTERFOIL_MICROHTTPD_SHIM_H

// These two come first: the module must agree with glibc's about fd_set.
#include <sys/types.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <stdarg.h>
#include <netinet/in.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#include <microhttpd.h>

// Variadic, and with an option list of alternating types: one call with named parameters instead.
static inline struct MHD_Daemon *counterfoil_mhd_start(
    int listen_descriptor,
    unsigned int connection_limit,
    size_t connection_memory,
    void *context,
    void (*logger)(void *, const char *, va_list),
    MHD_AcceptPolicyCallback accept_policy,
    MHD_AccessHandlerCallback access_handler,
    MHD_NotifyConnectionCallback notify_connection,
    MHD_RequestCompletedCallback request_completed,
    void *(*request_line)(void *, const char *, struct MHD_Connection *),
    size_t (*unescape)(void *, struct MHD_Connection *, char *))
{
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_ERROR_LOG,
        0,
        accept_policy, context,
        access_handler, context,
        MHD_OPTION_EXTERNAL_LOGGER, logger, context,
        MHD_OPTION_LISTEN_SOCKET, listen_descriptor,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_NOTIFY_CONNECTION, notify_connection, context,
        MHD_OPTION_NOTIFY_COMPLETED, request_completed, context,
        MHD_OPTION_URI_LOG_CALLBACK, request_line, context,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, context,
        MHD_OPTION_END);
}

// MHD_get_connection_info is variadic; each function below asks one of its questions.
static inline int counterfoil_mhd_descriptor(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const struct sockaddr *counterfoil_mhd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

static inline void *counterfoil_mhd_socket_context(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

// Bytes from the method to the end of the empty line after the fields; 0 before that line.
static inline size_t counterfoil_mhd_head_size(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

// The status of the answer being sent; 0 while there is none.
static inline unsigned int counterfoil_mhd_status(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS);
    return info ? info->http_status : 0;
}

// Bytes that the peer's TCP has acknowledged since the connection began; 0 when unknown.
//
// The field tcpi_bytes_acked stands at offset 120 of the kernel's struct tcp_info since Linux 4.1,
// beyond what glibc's own declaration of it (which the Glibc module brings in) knows.
static inline unsigned long long counterfoil_acknowledged_bytes(int descriptor)
{
    unsigned char information[256];
    socklen_t size = sizeof information;
    unsigned long long bytes = 0;
    memset(information, 0, sizeof information);
    if (getsockopt(descriptor, IPPROTO_TCP, 11 /* TCP_INFO */, information, &size) == 0
        && size >= 128)
        memcpy(&bytes, information + 120, sizeof bytes);
    return bytes;
}

// mallopt's header is none of the Glibc module's. Each of the settings also stops that threshold
// from being adapted; no other C library has them.
static inline void counterfoil_keep_freed_memory(int most, int step, int largest_piece)
{
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, most);
    mallopt(M_TOP_PAD, step);
    mallopt(M_MMAP_THRESHOLD, largest_piece);
#else
    (void)most, (void)step, (void)largest_piece;
#endif
}

// The two members that size casts in C macros and enumerations do not bring over to Swift.
static const unsigned long long counterfoil_mhd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t counterfoil_mhd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t counterfoil_mhd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

#endif
