import { fieldOf, nameOf, nodeOf, nodesOf, type SyntaxNode } from '../architecture/syntax.ts'

/** A part of the source text and what it becomes. */
interface Change {
  start: number
  end: number
  replacement: string
}

/** A change within an expression, and the expression with that change. */
interface SqlChange extends Change {
  expression: Change
}

/** Row level security repeats the condition on the organisation, so a query without it returns the same rows. */
const isRepeatedByPolicy = (condition: string): boolean => /^['"]?(?:\w+\.)?org_id\b/.test(condition)

const operators: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '!=': '=',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  in: 'not in',
  'not in': 'in',
  is: 'is not',
  'is not': 'is',
}

const conditionMethods = new Set(['where', 'whereRef', 'having', 'on', 'onRef'])
const lockMethods = new Set(['forUpdate', 'forShare', 'forNoKeyUpdate', 'skipLocked', 'onConflict'])

/** The changes of a call of the query builder: its condition or its lock left out, or its operator swapped. */
export function builderChanges(call: SyntaxNode, text: string): SqlChange[] {
  const callee = nodeOf(call, 'callee')
  const object = callee && nodeOf(callee, 'object')
  const property = callee && nodeOf(callee, 'property')
  const method = nameOf(property) ?? ''
  if (callee?.type !== 'MemberExpression' || !object || !property) return []
  const without = { start: call.start, end: call.end, replacement: text.slice(object.start, object.end) }
  const dot = text.lastIndexOf('.', property.start)
  const whole: SqlChange = { start: dot, end: call.end, replacement: '', expression: without }
  if (lockMethods.has(method)) return [whole]
  if (!conditionMethods.has(method)) return []
  const [first, operator] = nodesOf(call, 'arguments')
  if (!first || isRepeatedByPolicy(text.slice(first.start, first.end))) return []
  const swapped = operator && operators[String(fieldOf(operator, 'value'))]
  if (!operator || swapped === undefined) return [whole]
  const other = { start: operator.start, end: operator.end, replacement: `'${swapped}'` }
  return [whole, { ...other, expression: other }]
}

/** The changes of a statement that is written out: each condition, each operator in one, and each lock. */
export function templateChanges(template: SyntaxNode, text: string): SqlChange[] {
  const statement = blankedStatement(template, text)
  const changes = [...conditionsIn(statement, template.start), ...locksIn(statement, template.start)]
  return changes.map((one) => ({
    ...one,
    expression: {
      start: template.start,
      end: template.end,
      replacement:
        text.slice(template.start, one.start) + one.replacement + text.slice(one.end, template.end),
    },
  }))
}

/** The text of the statement with blanks in place of what is inserted into it, so that positions stay the same. */
function blankedStatement(template: SyntaxNode, text: string): string {
  const quasi = nodeOf(template, 'quasi')
  const blanked = text.slice(template.start, template.end).split('')
  const blank = (start: number, end: number): void => {
    blanked.fill('?', start - template.start, end - template.start)
  }
  if (quasi) blank(template.start, quasi.start + 1)
  for (const inserted of quasi ? nodesOf(quasi, 'expressions') : []) blank(inserted.start, inserted.end)
  return blanked.join('')
}

const locks = [
  /\bfor (?:no key )?(?:update|share)\b(?: of \w+)?/g,
  /\bskip locked\b/g,
  /\bon conflict (?:\([^)]*\) )?do nothing\b/g,
]

const locksIn = (statement: string, offset: number): Change[] =>
  locks.flatMap((lock) =>
    [...statement.matchAll(lock)].map((match) => ({
      start: offset + match.index,
      end: offset + match.index + match[0].length,
      replacement: '',
    })),
  )

const words = /[()]|\b[a-z_]+\b/g
const beginnings = new Set(['where', 'and', 'or', 'on', 'having'])
const otherWords =
  'order group limit returning for union set from join left when then do select window offset cross inner end else'
const endings = new Set([...beginnings, ...otherWords.split(' ')])

interface Condition {
  start: number
  end: number
}

interface Level {
  start: number | undefined
  /** Where the bracket opened, as long as a condition may have begun there. */
  bracketAt: number | undefined
  isBetween: boolean
}

function conditionsIn(statement: string, offset: number): Change[] {
  return conditionsOf(statement).flatMap(({ start, end }) => {
    const condition = statement.slice(start, end)
    if (isRepeatedByPolicy(condition)) return []
    const whole = { start: offset + start, end: offset + end, replacement: 'true' }
    return [whole, ...swappedOperators(condition, offset + start)]
  })
}

/** What stands between `where`, `and` or `or` and the next word that ends a condition, at the same depth. */
function conditionsOf(statement: string): Condition[] {
  const found: Condition[] = []
  const open: Level[] = [{ start: undefined, bracketAt: undefined, isBetween: false }]
  const close = (end: number): void => {
    const level = open.at(-1)
    if (level?.start !== undefined) found.push(trimmed(statement, level.start, end))
    if (level) level.start = undefined
  }
  for (const { 0: word, index } of statement.matchAll(words)) {
    const level = open.at(-1)
    if (word === '(') open.push({ start: undefined, bracketAt: index + 1, isBetween: false })
    else if (word === ')') {
      close(index)
      open.pop()
    } else if (word === 'between' && level) level.isBetween = true
    else if (word === 'and' && level?.isBetween === true) level.isBetween = false
    else if (endings.has(word)) {
      if (level && (word === 'and' || word === 'or')) level.start ??= level.bracketAt
      close(index)
      if (level) level.bracketAt = undefined
      const isCondition = beginnings.has(word) && !/^on\s+conflict/.test(statement.slice(index, index + 12))
      if (isCondition && level) level.start = index + word.length
    }
  }
  close(statement.length - 1)
  return found.filter(({ start, end }) => end > start).toSorted((a, b) => a.start - b.start)
}

function trimmed(statement: string, start: number, end: number): Condition {
  const inside = statement.slice(start, end)
  return { start: start + inside.length - inside.trimStart().length, end: start + inside.trimEnd().length }
}

/** Operators of subqueries belong to the conditions in these. */
function swappedOperators(condition: string, offset: number): Change[] {
  const depths = depthsOf(condition)
  return [...condition.matchAll(/(?<=\s)(?:<>|<=|>=|=|<|>)(?=\s)/g)]
    .filter(({ index }) => depths[index] === 0)
    .map(({ 0: operator, index }) => ({
      start: offset + index,
      end: offset + index + operator.length,
      replacement: operators[operator] ?? operator,
    }))
}

function depthsOf(condition: string): number[] {
  let depth = 0
  return condition.split('').map((character) => {
    if (character === '(') depth += 1
    if (character === ')') depth -= 1
    return depth
  })
}
