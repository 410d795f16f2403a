import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { specPaths } from '../../../test/contract/spec-paths.ts'

const list = readFileSync(join(import.meta.dirname, '../../../../docs/endpoints.md'), 'utf8')
const listed = new Map(
  list.split('\n').flatMap((line) => {
    const [, section = '', endpoint = ''] = /^\|\s*(\S+)\s*\|\s*`([^`]+)`/.exec(line) ?? []
    return endpoint === '' ? [] : [[endpoint, section] as const]
  }),
)

describe('docs/endpoints.md has every path of the specification', () => {
  it.each(specPaths)('%s %s', (section, endpoint) => {
    expect(listed.get(endpoint)).toBe(section)
  })
})
