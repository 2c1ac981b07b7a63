#include "remat/Solver/Solvers.h"
namespace remat::solver {
SolverResult solveDynamicProgramming(const Problem &problem,
                                     const SolverOptions &options) {
  return solveBruteForce(problem, options);
}
} // namespace remat::solver
