/**
 * The modulus check of UK account numbers as Vocalink publishes it ("Validating account numbers"). Letters follow
 * the specification: u to z are the sort code, a to h the account number. Operators supply the tables.
 */
export interface ModulusTables {
  weights: readonly WeightRow[]
  /** Exception 5: the sort code to check instead of the given one. */
  substitutions: ReadonlyMap<string, string>
}

interface WeightRow {
  from: string
  to: string
  method: 'MOD10' | 'MOD11' | 'DBLAL'
  weights: readonly number[]
  exception: number
}

type ModulusVerdict = 'valid' | 'invalid' | 'not_covered'

/**
 * Parses `valacdos.txt` and `scsubtab.txt`. Any malformed line fails, because a partial table would accept wrong
 * numbers.
 */
export function readModulusTables(weightsText: string, substitutionsText: string): ModulusTables {
  return {
    weights: linesOf(weightsText).map(readWeightRow),
    substitutions: new Map(
      linesOf(substitutionsText).map((line) => {
        const match = /^(\d{6})\s+(\d{6})$/.exec(line)
        if (!match) throw new Error(`a line of the substitutions is not two sort codes: ${line}`)
        return [match[1] ?? '', match[2] ?? '']
      }),
    ),
  }
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

const weightCount = 14

function readWeightRow(line: string): WeightRow {
  const [from = '', to = '', method, ...numbers] = line.split(/\s+/)
  const [weights, [exception = '0', ...rest]] = [numbers.slice(0, weightCount), numbers.slice(weightCount)]
  const isRow =
    [from, to].every((sortCode) => /^\d{6}$/.test(sortCode)) &&
    weights.length === weightCount &&
    weights.every((weight) => /^-?\d+$/.test(weight)) &&
    /^\d+$/.test(exception) &&
    rest.length === 0
  if (!isRow || (method !== 'MOD10' && method !== 'MOD11' && method !== 'DBLAL'))
    throw new Error(`a line of the weights is not a range, a method and 14 weights: ${line}`)
  return { from, to, method, weights: weights.map(Number), exception: Number(exception) }
}

/** Expects six and eight digits. A sort code that no row covers cannot be checked and is presumed valid. */
export function checkModulus(tables: ModulusTables, sortCode: string, accountNumber: string): ModulusVerdict {
  const rows = tables.weights.filter(({ from, to }) => from <= sortCode && sortCode <= to)
  const [first, second] = rows
  if (!first) return 'not_covered'
  const passes = (row: WeightRow, number = accountNumber): boolean =>
    passesRow(tables, row, { sortCode, accountNumber: number })
  const passesFirst =
    passes(first) ||
    (first.exception === 14 && isCoutts(accountNumber) && passes(first, shifted(accountNumber)))
  if (!second) return verdict(passesFirst)
  return verdict(
    isEitherEnough(first, second) ? passesFirst || passes(second) : passesFirst && passes(second),
  )
}

const verdict = (passes: boolean): ModulusVerdict => (passes ? 'valid' : 'invalid')

/** Exceptions 2 and 9, 10 and 11, 12 and 13: passing one of the two checks is enough. */
const isEitherEnough = (first: WeightRow, second: WeightRow): boolean =>
  [
    [2, 9],
    [10, 11],
    [12, 13],
  ].some(([one, other]) => first.exception === one && second.exception === other)

/** Exception 14: the check is repeated without the last digit and with a leading zero. */
const isCoutts = (accountNumber: string): boolean => /[019]$/.test(accountNumber)
const shifted = (accountNumber: string): string => `0${accountNumber.slice(0, 7)}`

interface Account {
  sortCode: string
  accountNumber: string
}

function passesRow(tables: ModulusTables, row: WeightRow, account: Account): boolean {
  const digits = (checkedSortCode(tables, row, account) + account.accountNumber).split('').map(Number)
  const [a = 0, , c = 0, , , , g = 0, h = 0] = digits.slice(6)
  if (row.exception === 3 && (c === 6 || c === 9)) return true
  if (row.exception === 6 && a >= 4 && a <= 8 && g === h) return true
  const products = weightsFor(row, digits).map((weight, index) => weight * (digits[index] ?? 0))
  const total = row.method === 'DBLAL' ? sum(products.map(digitSum)) : sum(products)
  const modulus = row.method === 'MOD11' ? 11 : 10
  const remainder = (total + (row.exception === 1 ? 27 : 0)) % modulus
  if (row.exception === 4) return remainder === g * 10 + h
  if (row.exception === 5) return passesExceptionFive(row, remainder, { g, h })
  return remainder === 0
}

function checkedSortCode(tables: ModulusTables, row: WeightRow, { sortCode }: Account): string {
  if (row.exception === 5) return tables.substitutions.get(sortCode) ?? sortCode
  if (row.exception === 8) return '090126'
  return row.exception === 9 ? '309634' : sortCode
}

const exceptionTwo = [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1]
const exceptionTwoWithNine = [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1]

function weightsFor(row: WeightRow, digits: readonly number[]): readonly number[] {
  const [a, b, , , , , g] = digits.slice(6)
  if (row.exception === 2 && a !== 0) return g === 9 ? exceptionTwoWithNine : exceptionTwo
  const isZeroed =
    (row.exception === 7 && g === 9) || (row.exception === 10 && b === 9 && (a === 0 || a === 9) && g === 9)
  return isZeroed ? row.weights.map((weight, index) => (index < 8 ? 0 : weight)) : row.weights
}

/** The remainder determines the check digit: g for the first check, h for the second. */
function passesExceptionFive(row: WeightRow, remainder: number, digits: { g: number; h: number }): boolean {
  if (row.method === 'DBLAL') return digits.h === (10 - remainder) % 10
  if (remainder === 1) return false
  return digits.g === (11 - remainder) % 11
}

const digitSum = (value: number): number => sum(String(value).split('').map(Number))
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
