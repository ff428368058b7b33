/// The command-line tool.
@main
struct Counterfoil {
    static func main() async {
        print("counterfoil")
    }
}
