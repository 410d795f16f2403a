import { parseModule } from '../architecture/repository.ts'
import { fieldOf, isNode, nameOf, nodeOf, nodesOf, walk, type SyntaxNode } from '../architecture/syntax.ts'
import { builderChanges, templateChanges } from './sql-mutants.ts'

/** One small change of a source file that some test should notice. */
export interface Mutant {
  /** Its number in its file, in the order of the text. */
  readonly number: number
  readonly line: number
  readonly kind: MutantKind
  readonly start: number
  readonly end: number
  readonly original: string
  readonly replacement: string
  readonly isStatement: boolean
  /** The expression around it and what that becomes, where the part alone cannot be replaced. */
  readonly expression?: { readonly start: number; readonly end: number; readonly replacement: string }
}

type MutantKind =
  | 'boundary'
  | 'condition'
  | 'operator'
  | 'literal'
  | 'text'
  | 'emptied'
  | 'method'
  | 'optional chain'
  | 'removed'
  | 'sql'

/** In a store, what a query asks for is mutated; elsewhere, the code around it. */
export type Mutates = 'code' | 'sql'

type Change = Pick<Mutant, 'kind' | 'replacement'>
type Found = Omit<Mutant, 'number' | 'line' | 'original'>

const operators: Readonly<Record<string, readonly Change[]>> = {
  '<': [change('boundary', '<='), change('condition', '>=')],
  '<=': [change('boundary', '<'), change('condition', '>')],
  '>': [change('boundary', '>='), change('condition', '<=')],
  '>=': [change('boundary', '>'), change('condition', '<')],
  '===': [change('condition', '!==')],
  '!==': [change('condition', '===')],
  '+': [change('operator', '-')],
  '-': [change('operator', '+')],
  '*': [change('operator', '/')],
  '/': [change('operator', '*')],
  '%': [change('operator', '*')],
  '**': [change('operator', '*')],
  '&&': [change('operator', '||')],
  '||': [change('operator', '&&')],
  '??': [change('operator', '&&')],
  '+=': [change('operator', '-=')],
  '-=': [change('operator', '+=')],
}

const swappedMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  toUpperCase: 'toLowerCase',
  toLowerCase: 'toUpperCase',
}

const droppedMethods = new Set(['filter', 'slice', 'trim', 'toSorted', 'toReversed', 'padStart', 'forUpdate'])

/** Syntax that does not exist while the program runs, or whose change a program cannot notice. */
const skippedNodes = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression'])

/**
 * Finds the mutants of a source file. The texts of errors that are thrown are left out: they are written for people,
 * and a test that repeats them guards nothing.
 */
export function findMutants(path: string, text: string, mutates: Mutates = 'code'): Mutant[] {
  const module = parseModule({ path, text })
  const program = module.nodes.find((node) => node.type === 'Program')
  const found: Found[] = []
  if (program && mutates === 'sql') found.push(...sqlMutants(program, text))
  else if (program) visit(program, undefined, { text, found, links: new Set() })
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .map((mutant, index) => ({
      ...mutant,
      number: index + 1,
      line: module.lineOf({ type: '', start: mutant.start, end: mutant.end }),
      original: text.slice(mutant.start, mutant.end),
    }))
}

function sqlMutants(program: SyntaxNode, text: string): Found[] {
  const found: Found[] = []
  walk(program, (node) => {
    const isTemplate = node.type === 'TaggedTemplateExpression' && nameOf(nodeOf(node, 'tag')) === 'sql'
    const changes = isTemplate
      ? templateChanges(node, text)
      : node.type === 'CallExpression'
        ? builderChanges(node, text)
        : []
    found.push(...changes.map((one) => ({ ...one, kind: 'sql' as const, isStatement: false })))
  })
  return found
}

interface Search {
  text: string
  found: Found[]
  /** The links of optional chains. A bracket around one of them would end the chain early. */
  links: Set<SyntaxNode>
}

function visit(node: SyntaxNode, parent: SyntaxNode | undefined, search: Search): void {
  if (isSkipped(node)) return
  if (node.type === 'ChainExpression') for (const link of linksOf(node)) search.links.add(link)
  if (!search.links.has(node)) search.found.push(...changesOf(node, parent, search.text))
  for (const [name, value] of Object.entries(node)) {
    if (isKeyOnly(node, name)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, search)
  }
}

/** The parts of the TypeScript syntax that hold an expression which runs. */
const transparentNodes = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])

const isSkipped = (node: SyntaxNode): boolean =>
  skippedNodes.has(node.type) ||
  (node.type.startsWith('TS') && !transparentNodes.has(node.type)) ||
  isErrorMade(node)

const isErrorMade = (node: SyntaxNode): boolean =>
  node.type === 'NewExpression' && nameOf(nodeOf(node, 'callee'))?.endsWith('Error') === true

/** The names of properties are what other code reads; changing one is a type error, not a mutant. */
function isKeyOnly(node: SyntaxNode, name: string): boolean {
  if (name === 'quasi') return node.type === 'TaggedTemplateExpression'
  const isNamed = node.type === 'Property' || node.type === 'PropertyDefinition'
  return name === 'key' && isNamed && fieldOf(node, 'computed') !== true
}

function changesOf(node: SyntaxNode, parent: SyntaxNode | undefined, text: string): Found[] {
  const at = (changes: readonly Change[]): Found[] =>
    changes.map((one) => ({ ...one, start: node.start, end: node.end, isStatement: false }))
  const inside = (part: SyntaxNode | undefined): string => (part ? text.slice(part.start, part.end) : '')
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return at(operatorChanges(node, inside))
    case 'UnaryExpression':
      return ['!', '-'].includes(String(fieldOf(node, 'operator')))
        ? at([change('operator', `(${inside(nodeOf(node, 'argument'))})`)])
        : []
    case 'ConditionalExpression':
    case 'IfStatement':
      return conditionChanges(nodeOf(node, 'test'), ['true', 'false'])
    case 'WhileStatement':
      return conditionChanges(nodeOf(node, 'test'), ['false'])
    case 'Literal':
      return parent?.type === 'ExpressionStatement' ? [] : at(literalChanges(node, inside(node)))
    case 'TemplateLiteral':
      return inside(node) === '``' ? [] : at([change('text', '``')])
    case 'ArrayExpression':
      return nodesOf(node, 'elements').length > 0 ? at([change('emptied', '[]')]) : []
    case 'ObjectExpression':
      return nodesOf(node, 'properties').length > 0 ? at([change('emptied', '({})')]) : []
    case 'CallExpression':
      return at(callChanges(node, text, inside))
    case 'ChainExpression':
      return at(chainChanges(node, text))
    case 'ExpressionStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return at([change('removed', '')]).map((one) => ({ ...one, isStatement: true }))
    case 'ReturnStatement':
      return parent?.type === 'SwitchCase'
        ? at([change('removed', '')]).map((one) => ({ ...one, isStatement: true }))
        : []
    default:
      return []
  }
}

type Inside = (part: SyntaxNode | undefined) => string

function operatorChanges(node: SyntaxNode, inside: Inside): Change[] {
  const [left, right] = [nodeOf(node, 'left'), nodeOf(node, 'right')]
  const operator = String(fieldOf(node, 'operator'))
  const isText = [left, right].some(
    (part) => part?.type === 'TemplateLiteral' || inside(part).startsWith("'"),
  )
  if (operator === '+' && isText) return []
  const isAssignment = node.type === 'AssignmentExpression'
  return (operators[operator] ?? []).map(({ kind, replacement }) => ({
    kind,
    replacement: isAssignment
      ? `${inside(left)} ${replacement} (${inside(right)})`
      : `(${inside(left)}) ${replacement} (${inside(right)})`,
  }))
}

const conditionChanges = (test: SyntaxNode | undefined, values: readonly string[]): Found[] =>
  test && test.type !== 'Literal'
    ? values.map((value) => ({
        ...change('condition', value),
        start: test.start,
        end: test.end,
        isStatement: false,
      }))
    : []

function literalChanges(node: SyntaxNode, raw: string): Change[] {
  const value = fieldOf(node, 'value')
  if (typeof value === 'boolean') return [change('literal', String(!value))]
  if (typeof value === 'bigint') return [change('literal', `${value + 1n}n`)]
  if (typeof value === 'number') return [change('literal', String(value + 1))]
  if (typeof value === 'string') return [change('text', raw.length > 2 ? "''" : "'mutated'")]
  return []
}

function callChanges(node: SyntaxNode, text: string, inside: Inside): Change[] {
  const callee = nodeOf(node, 'callee')
  const property = callee && nodeOf(callee, 'property')
  const method = nameOf(property) ?? ''
  if (callee?.type !== 'MemberExpression' || !property || fieldOf(callee, 'optional') === true) return []
  const changes: Change[] = []
  if (droppedMethods.has(method)) changes.push(change('method', `(${inside(nodeOf(callee, 'object'))})`))
  const other = Object.hasOwn(swappedMethods, method) ? swappedMethods[method] : undefined
  if (other !== undefined) {
    const [before, after] = [text.slice(node.start, property.start), text.slice(property.end, node.end)]
    changes.push(change('method', `${before}${other}${after}`))
  }
  return changes
}

/** Each `?.` of a chain becomes a plain access, one at a time. */
function chainChanges(chain: SyntaxNode, text: string): Change[] {
  return linksOf(chain)
    .filter((link) => fieldOf(link, 'optional') === true)
    .map((link) => {
      const at = text.indexOf('?.', innerOf(link)?.end)
      const isDotted = link.type === 'MemberExpression' && fieldOf(link, 'computed') !== true
      const access = isDotted ? '.' : ''
      return change('optional chain', text.slice(chain.start, at) + access + text.slice(at + 2, chain.end))
    })
}

function linksOf(chain: SyntaxNode): SyntaxNode[] {
  const links: SyntaxNode[] = []
  for (let link = innerOf(chain); link && isLink(link); link = innerOf(link)) links.push(link)
  return links
}

const isLink = ({ type }: SyntaxNode): boolean =>
  ['MemberExpression', 'CallExpression', 'TSNonNullExpression'].includes(type)

const innerOf = (link: SyntaxNode): SyntaxNode | undefined =>
  nodeOf(link, 'object') ?? nodeOf(link, 'callee') ?? nodeOf(link, 'expression')

function change(kind: MutantKind, replacement: string): Change {
  return { kind, replacement }
}
