import { expect, it } from 'vitest'
import { drawSample } from './draw-sample.ts'
import { findMutants } from './find-mutants.ts'
import type { ChosenMutants } from './run-trials.ts'

const chosen = (path: string, text: string): ChosenMutants => ({
  file: { path, testFiles: [], needsDatabase: true, mutates: 'code' },
  mutants: findMutants(path, text),
})
const numbers = Array.from({ length: 20 }, (_, index) => `const a${index} = ${index}`)
const drawn = (...files: ChosenMutants[]): string[] =>
  drawSample(files, 5).flatMap(({ file, mutants }) =>
    mutants.map(({ original }) => `${file.path} ${original}`),
  )

it('a sample has the wanted size and is the same whenever it is drawn', () => {
  const files = [chosen('a.ts', numbers.join('\n')), chosen('b.ts', numbers.join('\n'))]
  expect(drawn(...files)).toHaveLength(5)
  expect(drawn(...files)).toEqual(drawn(...files))
})

it('lines that are added elsewhere in a file leave the sample as it is', () => {
  const longer = chosen('a.ts', `// A comment.\n${numbers.join('\n')}`)
  expect(drawn(longer)).toEqual(drawn(chosen('a.ts', numbers.join('\n'))))
})

it('a sample of fewer mutants than wanted has all of them', () => {
  expect(drawn(chosen('a.ts', 'const a = 1'))).toEqual(['a.ts 1'])
})
