import { domainOf, isTestFile, type Module, type Repository } from './repository.ts'

type Edge = { readonly from: string; readonly to: string; readonly where: string }
type Graph = ReadonlyMap<string, readonly Edge[]>

/** Type imports count: two files that need each other's types have a third one to share. */
export function checkImportCycles(repository: Repository): string[] {
  return cyclesOf(graphOf(repository, (path) => path)).map(
    (cycle) => `${pathOf(cycle)} is an import cycle; move what both sides need into a file of its own`,
  )
}

export function checkDomainCycles(repository: Repository): string[] {
  return cyclesOf(graphOf(repository, domainOf)).map((cycle) => {
    const where = cycle.map((edge) => edge.where).join(', ')
    return `${where} make the cycle ${pathOf(cycle)}; domains may import each other one way only`
  })
}

const pathOf = (cycle: readonly Edge[]): string =>
  [...cycle.map((edge) => edge.from), cycle[0]?.from].join(' → ')

/** A node is a file, or a group of files by the name that `nodeOf` gives them; imports within a group do not count. */
function graphOf(repository: Repository, nodeOf: (path: string) => string | undefined): Graph {
  const modules = repository.modules.filter((module) => !isTestFile(module.path))
  return Map.groupBy(
    modules.flatMap((module) => edgesOf(module, nodeOf)),
    (edge) => edge.from,
  )
}

function edgesOf(module: Module, nodeOf: (path: string) => string | undefined): Edge[] {
  const from = nodeOf(module.path)
  if (from === undefined) return []
  return module.imports.flatMap((one) => {
    const to = one.target === undefined ? undefined : nodeOf(one.target)
    return to === undefined || to === from ? [] : [{ from, to, where: `${module.path}:${one.line}` }]
  })
}

function cyclesOf(graph: Graph): Edge[][] {
  const cycles = new Map<string, Edge[]>()
  for (const start of graph.keys()) {
    const cycle = shortestCycle(graph, start)
    if (cycle === undefined) continue
    const key = cycle
      .map((edge) => edge.from)
      .toSorted()
      .join(' ')
    if (!cycles.has(key)) cycles.set(key, cycle)
  }
  return [...cycles.values()]
}

function shortestCycle(graph: Graph, start: string): Edge[] | undefined {
  const queue = (graph.get(start) ?? []).map((edge) => [edge])
  const seen = new Set<string>()
  for (const path of queue) {
    const end = path.at(-1)?.to
    if (end === start) return path
    if (end === undefined || seen.has(end)) continue
    seen.add(end)
    for (const edge of graph.get(end) ?? []) queue.push([...path, edge])
  }
  return undefined
}
