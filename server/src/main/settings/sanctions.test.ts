import { expect, it } from 'vitest'
import { z } from 'zod'
import { sanctionsSettings } from './sanctions.ts'

const read = (env: Record<string, string>) => z.object(sanctionsSettings).safeParse(env)

it('names are compared by this process unless a server is set', () => {
  expect(read({}).data).not.toHaveProperty('SANCTIONS_YENTE_URL')
})

it.each(['0', '-1', '0.91', '70', 'high'])('%s is no threshold', (value) => {
  expect(read({ SANCTIONS_YENTE_THRESHOLD: value }).error?.issues[0]?.message).toBe(
    'must be a number above 0 and at most 0.9',
  )
})

it.each(['0.5', '0.7', '0.9'])('%s is a threshold', (value) => {
  expect(read({ SANCTIONS_YENTE_THRESHOLD: value }).data?.SANCTIONS_YENTE_THRESHOLD).toBe(Number(value))
})
