import { expect, it } from 'vitest'
import { nearest } from './nearest.ts'

const known = ['amount', 'target_amount', 'currency', 'org_id', 'limit', 'status']

it.each([
  ['amonut', 'amount'],
  ['staus', 'status'],
  ['Amount', 'amount'],
  ['orgId', 'org_id'],
  ['targetAmount', 'target_amount'],
  ['curency', 'currency'],
])('%s is a typing error of %s', (name, meant) => {
  expect(nearest(name, known)).toBe(meant)
})

it.each(['colour', 'x', '', 'z'.repeat(5000)])('%s resembles none', (name) => {
  expect(nearest(name, known)).toBeUndefined()
})
