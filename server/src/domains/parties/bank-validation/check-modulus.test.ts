import { describe, expect, it } from 'vitest'
import {
  invalidAccounts,
  substitutionRows,
  validAccounts,
  weightRows,
} from '../../../../test/worlds/modulus-cases.ts'
import { checkModulus, readModulusTables } from './check-modulus.ts'

const tables = readModulusTables(weightRows, substitutionRows)

describe('the examples of the specification, which cover every method and exception', () => {
  it.each(validAccounts)('%s %s is valid', (sortCode, accountNumber) => {
    expect(checkModulus(tables, sortCode, accountNumber)).toBe('valid')
  })
  it.each(invalidAccounts)('%s %s is not', (sortCode, accountNumber) => {
    expect(checkModulus(tables, sortCode, accountNumber)).toBe('invalid')
  })
})

describe('the tables', () => {
  it('report a sort code that they do not cover', () => {
    expect(checkModulus(tables, '000000', '12345678')).toBe('not_covered')
  })
  it.each([
    '010004 016715 MOD12 0 0 0 0 0 0 8 7 6 5 4 3 2 1',
    '010004 016715 MOD11 0 0 0 0 0 0 8 7 6 5 4 3 2',
    'weights',
  ])('with a line that is none are refused: %s', (line) => {
    expect(() => readModulusTables(line, '')).toThrow('a line of the weights')
  })
  it('with a malformed substitution are refused', () => {
    expect(() => readModulusTables('', '938173')).toThrow('a line of the substitutions')
  })
})
