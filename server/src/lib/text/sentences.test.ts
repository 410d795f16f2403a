import { expect, it } from 'vitest'
import { listOf, toSentence } from './sentences.ts'

it.each([
  ['amount', 'must be positive', 'amount must be positive.'],
  ['amount', 'is required; it must be a number.', 'amount is required; it must be a number.'],
  ['', 'must be an object', 'The request must be an object.'],
  ['beneficiary_id', 'there is no such beneficiary', 'There is no such beneficiary (beneficiary_id).'],
  ['beneficiary_id', 'there is no such beneficiary.', 'There is no such beneficiary (beneficiary_id).'],
  ['amount', 'amount must be positive.', 'amount must be positive.'],
  ['row 2: amount', 'amount must be positive.', 'amount must be positive.'],
  ['name', 'name must be a text.', 'name must be a text.'],
  ['to', 'The period has at most 93 days', 'The period has at most 93 days.'],
  ['', 'something is wrong', 'Something is wrong.'],
])('about %j, %j becomes %j', (field, problem, sentence) => {
  expect(toSentence(field, problem)).toBe(sentence)
})

it('lists names', () => {
  expect(['a', 'a b', 'a b c'].map((names) => listOf(names.split(' ')))).toEqual(['a', 'a or b', 'a, b or c'])
})
