import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sample } from '../../src/http/reference/examples/example.ts'
import type { CallAnswer } from '../app/test-app.ts'

const file = join(import.meta.dirname, '../../src/http/reference/generated/answers.ts')
const header = `// Recorded by \`npm run record:answers\` from the API's own answers; ids, times, keys and addresses are replaced.
export const recordedAnswers: Readonly<Record<string, Readonly<Record<string, unknown>>>> = `

const entriesLimit = 2
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const uuids = new RegExp(uuid, 'gi')
const organizationName = new RegExp(`Organisation ${uuid}`, 'gi')
const personAddress = new RegExp(`${uuid}@`, 'gi')
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const secretKeys = /(?:^|_)(?:secret|secret_key|api_key|token)$/
const cursorKeys = ['last_evaluated_key', 'lastEvaluatedKey']
const firstTime = Date.parse('2026-11-02T09:00:00.000Z')

/** Keeps the first success of every operation and status. */
export function createRecorder() {
  const answers: Record<string, Record<string, unknown>> = {}
  return {
    note(operationId: string, { status, body }: Pick<CallAnswer, 'status' | 'body'>): void {
      if (status >= 300 || typeof body !== 'object' || body === null) return
      const known = (answers[operationId] ??= {})
      known[String(status)] ??= steady(shorten(body))
    },
    write(): void {
      const lines = Object.entries(answers)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([id, byStatus]) => `  ${JSON.stringify(id)}: ${JSON.stringify(byStatus)},\n`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `${header}{\n${lines.join('')}}\n`)
    },
  }
}

/** Two entries show what a list is like. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = value.some((entry) => typeof entry === 'object')
    return isOfObjects ? value.slice(0, entriesLimit).map(shorten) : value
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shorten(inner)]))
}

/** The same answer for the same calls in every run: ids by the field that they are in, times by their order. */
function steady(answer: unknown): unknown {
  const ids = new Map<string, string>()
  const moments = [...new Set(JSON.stringify(answer).match(times))].toSorted()
  const idFor = (name: string, id: string): string => {
    const hash = createHash('sha256').update(name).digest('hex').slice(0, 10)
    const made = `0198c0de-7a1b-7c3d-9e4f-${hash}${String(ids.size).padStart(2, '0')}`
    const known = ids.get(id) ?? samples.get(name) ?? made
    ids.set(id, known)
    return known
  }
  const replaced = (name: string, text: string): string => {
    if (cursorKeys.includes(name)) return 'b3BhcXVlIGN1cnNvcg'
    if (secretKeys.test(name)) return text.replace(/[^_]{8,}$/, 'EXAMPLE')
    if (name === 'prefix') return text.replace(/[^_]{4}$/, 'EXAM')
    return text
      .replaceAll(times, (time) => new Date(firstTime + moments.indexOf(time) * 1000).toISOString())
      .replaceAll(organizationName, 'Acme')
      .replaceAll(personAddress, 'pat@')
      .replaceAll(uuids, (id) => idFor(name, id.toLowerCase()))
      .replaceAll(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://api.example.com')
      .replaceAll(/(\/(?:webhooks|pay)\/)[\w-]{20,}/g, '$1EXAMPLE')
  }
  const walk = (name: string, value: unknown): unknown => {
    if (typeof value === 'string') return replaced(name, value)
    if (Array.isArray(value)) return value.map((item) => walk(name, item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(key, inner)]))
  }
  return walk('', answer)
}

const samples: ReadonlyMap<string, string> = new Map(Object.entries(sample))
