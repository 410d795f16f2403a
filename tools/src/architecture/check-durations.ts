import { isTestFile, type Repository } from './repository.ts'
import { fieldOf, nameOf, nodeOf, nodesOf, walk, type SyntaxNode } from './syntax.ts'

const timingTest = /\.timing\.test\.ts$/
const upperBounds = new Set(['toBeLessThan', 'toBeLessThanOrEqual'])
const durationName = /(?:took|elapsed|duration|cpu)\w*ms$/i
const processorClocks = new Set(['cpuUsage', 'threadCpuUsage', 'hrtime'])

/** A slow machine fails a test that expects something to be fast. Only the project `timing` runs alone on its machine. */
export function checkDurations(repository: Repository): string[] {
  return repository.modules
    .filter(({ path }) => isTestFile(path) && !timingTest.test(path))
    .flatMap((module) =>
      [...new Set(module.nodes.filter(assertsDuration).map((node) => module.lineOf(node)))].map(
        (line) =>
          `${module.path}:${line} asserts a duration; wait for a condition, or move the test to a file *.timing.test.ts`,
      ),
    )
}

function assertsDuration(node: SyntaxNode): boolean {
  if (node.type !== 'CallExpression') return false
  if (isExpect(node)) return contains(node, readsClock)
  const callee = nodeOf(node, 'callee')
  const matcher = callee && nameOf(nodeOf(callee, 'property'))
  const expectation = callee && expectationOf(callee)
  return upperBounds.has(matcher ?? '') && expectation !== undefined && contains(expectation, namesDuration)
}

/** `expect(…)` in `expect(…).toBe(…)`, also behind `not` and `resolves`. */
function expectationOf(callee: SyntaxNode): SyntaxNode | undefined {
  if (callee.type === 'CallExpression') return isExpect(callee) ? callee : undefined
  const object = nodeOf(callee, 'object')
  return object && expectationOf(object)
}

const isExpect = (call: SyntaxNode): boolean => nameOf(nodeOf(call, 'callee')) === 'expect'

function contains(expectation: SyntaxNode, isWanted: (node: SyntaxNode) => boolean): boolean {
  let isFound = false
  walk(nodesOf(expectation, 'arguments'), (node) => {
    isFound ||= isWanted(node)
  })
  return isFound
}

function readsClock(node: SyntaxNode): boolean {
  if (isCallOf(node, 'performance', 'now')) return true
  if (node.type === 'BinaryExpression' && fieldOf(node, 'operator') === '-') {
    const left = nodeOf(node, 'left')
    return left !== undefined && isCallOf(left, 'Date', 'now')
  }
  return node.type === 'Identifier' && processorClocks.has(nameOf(node) ?? '')
}

function isCallOf(node: SyntaxNode, object: string, method: string): boolean {
  const callee = node.type === 'CallExpression' ? nodeOf(node, 'callee') : undefined
  return (
    callee !== undefined &&
    nameOf(nodeOf(callee, 'object')) === object &&
    nameOf(nodeOf(callee, 'property')) === method
  )
}

const namesDuration = (node: SyntaxNode): boolean =>
  node.type === 'Identifier' && durationName.test(nameOf(node) ?? '')
