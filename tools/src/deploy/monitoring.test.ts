import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boards } from '../gen/boards.ts'
import { findTool } from './find-tool.ts'

const root = join(import.meta.dirname, '../../..')
const directory = (name: string): string => join(root, name)
const namesIn = (path: string): string[] =>
  readdirSync(directory(path)).map((name) => name.replace(/\.\w+$/, ''))
const alerts = namesIn('deploy/prometheus/alerts')
const promtool = findTool('promtool')

describe('alerts', () => {
  it.each(alerts)(
    '%s names its runbook, which exists, and has a test that fires and one that does not',
    (name) => {
      const text = readFileSync(directory(`deploy/prometheus/alerts/${name}.yaml`), 'utf8')
      expect(text).toContain(`runbook: docs/runbooks/${name}.md`)
      const alert = /alert: (\w+)/.exec(text)?.[1]
      const runbook = readFileSync(directory(`docs/runbooks/${name}.md`), 'utf8')
      expect(runbook).toContain(`# ${alert}`)
      expect(runbook).toMatch(/## What it means[^]+## What to do\n\n1\. [^]+## When it is over/)
      const tests = readFileSync(directory(`deploy/prometheus/tests/${name}.yaml`), 'utf8')
      expect(tests).toContain(`exp_annotations:`)
      expect(tests).toContain('exp_alerts: []')
    },
  )

  it('every runbook belongs to an alert', () => {
    expect(
      namesIn('docs/runbooks')
        .filter((name) => name !== 'README')
        .sort(),
    ).toEqual(alerts.toSorted())
  })

  it.skipIf(promtool === undefined)(
    'Prometheus accepts the rules, and each fires and stays quiet when it should',
    () => {
      const files = (folder: string): string[] => alerts.map((name) => `${folder}/${name}.yaml`)
      const cwd = directory('deploy/prometheus')
      const run = (...args: string[]): string => execFileSync(promtool ?? '', args, { cwd, encoding: 'utf8' })
      run('check', 'rules', '--lint-fatal', ...files('alerts'))
      expect(run('test', 'rules', ...files('tests')).match(/SUCCESS/g)).toHaveLength(alerts.length)
    },
  )
})

describe('runbooks', () => {
  const document: unknown = JSON.parse(readFileSync(directory('docs/openapi.json'), 'utf8'))
  const shape = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')
  const operations = new Set(
    Object.entries((document as { paths: Record<string, object> }).paths) // the document that npm run gen writes
      .flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${shape(path)}`),
      ),
  )

  it.each(alerts)('%s names only endpoints that exist', (name) => {
    const text = readFileSync(directory(`docs/runbooks/${name}.md`), 'utf8')
    const named = [...text.matchAll(/`(GET|POST|PUT|PATCH|DELETE) (\/v1\/[^?`]+)/g)].map(
      ([, method, path]) => `${method} ${shape(path ?? '')}`,
    )
    expect(named.filter((operation) => !operations.has(operation))).toEqual([])
  })
})

describe('boards', () => {
  it.each(boards)(
    '$uid has a description and a unit for every panel, and titles that differ',
    ({ panels }) => {
      for (const { title, description, unit, queries } of panels) {
        expect([title, description, unit].every((text) => text !== '')).toBe(true)
        expect(queries.length).toBeGreaterThan(0)
      }
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length)
    },
  )

  it.skipIf(promtool === undefined)('every expression is valid', () => {
    const scratch = mkdtempSync(join(tmpdir(), 'switchyard-boards-'))
    try {
      const rules = boards
        .flatMap(({ panels }) => panels.flatMap(({ queries }) => queries))
        .map(({ expr }, index) => ({ record: `board:query:${index}`, expr }))
      const file = join(scratch, 'rules.yaml')
      writeFileSync(file, JSON.stringify({ groups: [{ name: 'boards', rules }] }))
      expect(execFileSync(promtool ?? '', ['check', 'rules', file], { encoding: 'utf8' })).toContain(
        'SUCCESS',
      )
    } finally {
      rmSync(scratch, { recursive: true, force: true })
    }
  })
})
