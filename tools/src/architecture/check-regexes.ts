import { checkSync } from 'recheck'
import { provenRegexes } from './proven-regexes.ts'
import { isTestFile, type Module, type Repository } from './repository.ts'
import { fieldOf, nameOf, nodeOf, nodesOf, textOf, type SyntaxNode } from './syntax.ts'

type Regex = { readonly source: string; readonly flags: string }

/** Code that reads text from outside: callers, customers, providers. The other packages run in development only. */
const checkedRoots = /^(?:server|checkout|simulator|sdk|cli|stack)\/src\//
/** On a busy machine, a proof that takes a second otherwise can take ten. */
const proofLimitMs = 60_000
const characterClass = /\[(?:\\[^]|[^\]\\])*\]/g
const escapedCharacter = /\\(?:[dDwWsSbBtnrfv0]|x[0-9a-f]{2}|u[0-9a-f]{4}|[^a-zA-Z0-9])/g
const fixedCount = /\{\d+\}/g
const variableQuantifier = /(?:[*+]|\{\d+,\d*\})\??|\?/g

/** A pattern that takes super-linear time lets one request occupy the process, so each one is proven linear. */
export function checkRegexes(repository: Repository): string[] {
  const problems = new Map<string, string | undefined>()
  return checkedModules(repository).flatMap((module) =>
    module.nodes.flatMap((node) => {
      const regex = regexOf(node)
      if (regex === undefined) return []
      const key = regex === 'computed' ? regex : `/${regex.source}/${regex.flags}`
      if (!problems.has(key)) problems.set(key, problemOf(regex))
      const problem = problems.get(key)
      return problem === undefined ? [] : [`${at(module, node)} ${problem}`]
    }),
  )
}

function regexOf(node: SyntaxNode): Regex | 'computed' | undefined {
  if (node.type === 'Literal') return literalOf(fieldOf(node, 'regex'))
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression'
  if (!isCall || nameOf(nodeOf(node, 'callee')) !== 'RegExp') return undefined
  const [pattern, flagsNode] = nodesOf(node, 'arguments')
  const source = pattern && constantText(pattern)
  const flags = flagsNode === undefined ? '' : constantText(flagsNode)
  return source === undefined || flags === undefined ? 'computed' : { source, flags }
}

function literalOf(regex: unknown): Regex | undefined {
  if (typeof regex !== 'object' || regex === null) return undefined
  const { pattern, flags } = { pattern: '', flags: '', ...regex }
  return { source: pattern, flags }
}

function constantText(node: SyntaxNode): string | undefined {
  return nodesOf(node, 'expressions').length === 0 ? textOf(node) : undefined
}

/** Proofs take seconds each, so those that were made once are listed. `PROVE_ALL=1` makes all of them anew. */
const isProven = ({ source, flags }: Regex): boolean =>
  process.env['PROVE_ALL'] === undefined && provenRegexes.has(`/${source}/${flags}`)

/** The patterns that need a proof, each once. */
export const regexesToProve = (repository: Repository): string[] => [
  ...new Set(
    checkedModules(repository).flatMap((module) =>
      module.nodes.flatMap((node) => {
        const regex = regexOf(node)
        return regex === undefined || regex === 'computed' || isPlainlyLinear(regex)
          ? []
          : [`/${regex.source}/${regex.flags}`]
      }),
    ),
  ),
]

const checkedModules = (repository: Repository): Module[] =>
  repository.modules.filter((module) => checkedRoots.test(module.path) && !isTestFile(module.path))

function problemOf(regex: Regex | 'computed'): string | undefined {
  if (regex === 'computed')
    return 'makes a regular expression from text that is computed, so nobody can tell how long it takes; write a literal'
  if (isPlainlyLinear(regex) || isProven(regex)) return undefined
  // The other backends start a compiled program or a worker.
  process.env['RECHECK_SYNC_BACKEND'] = 'pure'
  const verdict = checkSync(regex.source, regex.flags, { timeout: proofLimitMs })
  const text = `/${regex.source}/${regex.flags}`
  if (verdict.status === 'safe') return undefined
  if (verdict.status === 'unknown')
    return `has ${text}, for which linear time could not be proven (${verdict.error.kind}); use a simpler one`
  const isGuess = verdict.checker === 'fuzz' && verdict.complexity.type === 'polynomial'
  if (isGuess && !isSlow(regex, verdict.attack.string)) return undefined
  return `has ${text}, which takes ${verdict.complexity.summary} time for ${verdict.attack.pattern}`
}

/** Far more than a linear match of any attack takes, and far less than the billion steps that an attack is made for. */
const slowMatchMs = 500

/** Where recheck has no proof it measures its own matcher, with a random outcome; V8 has the last word. */
function isSlow({ source, flags }: Regex, attack: string): boolean {
  const pattern = new RegExp(source, flags)
  const before = process.cpuUsage()
  pattern.test(attack)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 > slowMatchMs
}

/**
 * A sequence of characters without groups or alternatives whose counts are fixed, or whose only variable count is
 * tried at one place. The proof of these is trivial, but recheck needs seconds to unroll a large count.
 */
export function isPlainlyLinear({ source, flags }: Regex): boolean {
  const plain = source
    .replaceAll(characterClass, 'x')
    .replaceAll(escapedCharacter, 'x')
    .replaceAll(fixedCount, '')
  if (/[()|\\]/.test(plain)) return false
  const variable = plain.match(variableQuantifier)?.length ?? 0
  return variable === 0 || (variable === 1 && plain.startsWith('^') && !flags.includes('m'))
}

function at(module: Module, node: SyntaxNode): string {
  return `${module.path}:${module.lineOf(node)}`
}
