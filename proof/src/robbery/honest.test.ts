import { expect, test } from 'vitest'
import { honestChanged } from './honest.ts'

const expected = {
  payments: new Map([
    ['paid', 'completed' as const],
    ['waiting', 'open' as const],
  ]),
  balances: new Map([['available KES', 100n]]),
}
const actual = {
  payments: new Map([
    ['paid', 'completed'],
    ['waiting', 'pending'],
  ]),
  balances: new Map([['available KES', 100n]]),
}

test('an organisation that has exactly what it knows of was not touched', () => {
  expect(honestChanged(expected, actual)).toEqual([])
})

test.each([
  [
    'a payment that somebody else made',
    { payments: new Map([...actual.payments, ['foreign', 'completed']]) },
  ],
  [
    'a pending payin that somebody completed',
    { payments: new Map([...actual.payments, ['waiting', 'completed']]) },
  ],
  ['a payment that is gone', { payments: new Map([['paid', 'completed']]) }],
  ['a smaller balance', { balances: new Map([['available KES', 99n]]) }],
  ['a balance that it did not open', { balances: new Map([...actual.balances, ['va:1 NGN', 1n]]) }],
])('%s is a violation', (_case, change) => {
  expect(honestChanged(expected, { ...actual, ...change })).toHaveLength(1)
})
