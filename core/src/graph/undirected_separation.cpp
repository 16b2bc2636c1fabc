#include "dagwright/graph/separation.hpp"

namespace dagwright {

std::vector<char> undirected_separated(const MixedGraph& graph, std::span<const SeparationQuery> queries) {
    // Stamps 3q+1, 3q+2, 3q+3 of query q: conditioned on, wanted, visited. Older stamps count as unmarked.
    std::vector<std::size_t> stamps(graph.size(), 0);
    std::vector<Node> pending;
    std::vector<char> answers;
    answers.reserve(queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const std::size_t given = 3 * q + 1, wanted = given + 1, visited = given + 2;
        for (const Node node : queries[q].given) stamps[node] = given;
        for (const Node node : queries[q].y) stamps[node] = wanted;
        pending = queries[q].x;
        for (const Node node : pending) stamps[node] = visited;
        bool met = false;
        while (!pending.empty() && !met) {
            const Node node = pending.back();
            pending.pop_back();
            for (const Node next : graph.neighbors()[node]) {
                met = met || stamps[next] == wanted;
                if (stamps[next] >= given) continue;
                stamps[next] = visited;
                pending.push_back(next);
            }
        }
        answers.push_back(met ? 0 : 1);
    }
    return answers;
}

}  // namespace dagwright
