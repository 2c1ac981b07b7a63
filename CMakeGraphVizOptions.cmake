# What `cmake --graphviz` draws: the libraries and programs of the project, for
# docs/images/dependencies.svg (docs/how-it-works.md has the command).
set(GRAPHVIZ_GRAPH_NAME "Remat")
set(GRAPHVIZ_EXTERNAL_LIBS FALSE)
set(GRAPHVIZ_CUSTOM_TARGETS FALSE)
set(GRAPHVIZ_GENERATE_PER_TARGET FALSE)
set(GRAPHVIZ_GENERATE_DEPENDERS FALSE)
set(GRAPHVIZ_IGNORE_TARGETS ".*Tests$" ".*Bench$" "remat-bench" "RematTestProblems" "MLIR.*" "LLVM.*" "mlir.*" "obj\\..*")
