const shown = 20

/** Prints the first problems, and lets the process fail if there is one. */
export function printProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, shown)) console.error(problem)
  process.exitCode = problems.length === 0 ? 0 : 1
}
