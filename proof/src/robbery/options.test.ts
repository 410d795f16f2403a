import { expect, test } from 'vitest'
import { attacks, thieves } from './attacks/thieves.ts'
import { judges } from './judges/judge.ts'
import { helpText, readOptions } from './options.ts'
import { bugs } from './plant/bugs.ts'

test('the help lists every option, thief, attack, judge and planted hole', () => {
  const names = [...thieves, ...attacks, ...bugs].map(({ name }) => name)
  for (const name of [
    ...names,
    ...Object.keys(judges),
    '--steps',
    '--seed',
    '--minutes',
    '--prove',
    '--only',
  ])
    expect(helpText()).toContain(name)
})

test('options are read, and the help is asked for', () => {
  expect(readOptions(['--steps', '7', '--prove', '--only', 'x'])).toEqual({
    steps: 7,
    seed: 1,
    minutes: 20,
    isProof: true,
    only: 'x',
  })
  expect(readOptions(['--help'])).toBeUndefined()
  expect(() => readOptions(['--steps', 'many'])).toThrow('whole numbers')
})
