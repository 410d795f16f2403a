import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { findTool } from './find-tool.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const workflows = globSync('.github/{workflows/*,actions/*/action}.yml', { cwd: root }).toSorted()
const forms = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).filter(
  (path) => !path.endsWith('config.yml'),
)
const manifest: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
const actionlint = findTool('actionlint')

describe('workflows', () => {
  it('there are workflows to check', () => {
    expect(workflows).toContain('.github/workflows/check.yml')
  })

  it.skipIf(actionlint === undefined)('actionlint accepts them', () => {
    const files = workflows.filter((path) => path.startsWith('.github/workflows/'))
    expect(execFileSync(actionlint ?? '', ['-no-color', ...files], { cwd: root, encoding: 'utf8' })).toBe('')
  })

  it.each(workflows)('%s names actions by their major version', (path) => {
    const used = [...read(path).matchAll(/\buses: (\S+)/g)].map(([, action = '']) => action)
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+$|^\.\/\.github\/actions\//.test(action))).toEqual(
      [],
    )
    const own = used.filter((action) => action.startsWith('./'))
    expect(own.filter((action) => !existsSync(join(root, action, 'action.yml')))).toEqual([])
  })

  it.each(workflows)('%s runs only commands that package.json has', (path) => {
    const scripts = [...read(path).matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name)
    expect(scripts.filter((name) => manifest.scripts[name] === undefined)).toEqual([])
  })
})

describe('issue forms', () => {
  type Field = { type: string; id?: string; attributes: { label?: string; value?: string } }

  it.each(forms)('%s has a title, a description and fields with labels', (path) => {
    const form: { name?: string; description?: string; body: Field[] } = parse(read(path))
    expect([form.name, form.description].every((text) => (text ?? '') !== '')).toBe(true)
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.filter(({ id, attributes }) => id === undefined || attributes.label === undefined)).toEqual(
      [],
    )
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
  })

  it('point reports of vulnerabilities to SECURITY.md', () => {
    expect(read('.github/ISSUE_TEMPLATE/config.yml')).toContain('/SECURITY.md')
  })
})

it('every path in CODEOWNERS exists', () => {
  const owned = read('.github/CODEOWNERS')
    .split('\n')
    .flatMap((line) => /^(\/\S+)/.exec(line)?.[1] ?? [])
  expect(owned.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
