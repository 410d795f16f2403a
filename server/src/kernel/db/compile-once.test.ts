import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { compileOnce, compileRowsOnce } from './compile-once.ts'
import { statements } from './database.ts'

interface Job {
  org_id: string
  outbox_id: string
  service: string
  handler: string
  payload: string
  is_ready: boolean
  receiver: string
  due_at?: Date
}

const job = (name: string, more: Partial<Job> = {}): Job => ({
  org_id: `org ${name}`,
  outbox_id: `outbox ${name}`,
  service: `service ${name}`,
  handler: `handler ${name}`,
  payload: '{}',
  is_ready: true,
  receiver: `receiver ${name}`,
  ...more,
})
const insertJobs = (jobs: readonly Job[]) => statements.insertInto('outbox').values(jobs).compile()

it('gives the same text and values as a statement that is compiled every time', () => {
  let builds = 0
  const insertOnce = compileOnce<Job>((row) => {
    builds += 1
    return statements.insertInto('outbox').values(row).compile()
  })
  for (const name of ['a', 'b', 'c']) {
    const { sql: text, parameters } = insertJobs([job(name)])
    expect(insertOnce(job(name))).toMatchObject({ sql: text, parameters })
  }
  expect(builds).toBe(1)
})

it('a value that is undefined is left out, in a text of its own', () => {
  const insertOnce = compileOnce<Job>((row) => statements.insertInto('outbox').values(row).compile())
  const dueAt = new Date(0)
  for (const given of [job('a'), job('b', { due_at: dueAt }), job('c'), job('d', { due_at: dueAt })]) {
    const { sql: text, parameters } = insertJobs([given])
    expect(insertOnce(given)).toMatchObject({ sql: text, parameters })
  }
})

it('constants keep their place between the values', () => {
  const between = compileOnce<{ first: string; last: string | null }>(({ first, last }) =>
    sql`select ${first}, ${'constant'}, ${last}, ${first}`.compile(statements),
  )
  expect(between({ first: 'a', last: 'b' }).parameters).toEqual(['a', 'constant', 'b', 'a'])
  expect(between({ first: 'c', last: null })).toMatchObject({
    sql: 'select $1, $2, $3, $4',
    parameters: ['c', 'constant', null, 'c'],
  })
})

it.each([1, 2, 3, 20])('%d rows keep their own values', (count) => {
  const insertRowsOnce = compileRowsOnce<Job>((rows) =>
    statements.insertInto('outbox').values(rows).compile(),
  )
  for (const time of ['first', 'second']) {
    const jobs = Array.from({ length: count }, (_, index) => job(`${time} ${index}`))
    const { sql: text, parameters } = insertJobs(jobs)
    expect(insertRowsOnce(jobs)).toMatchObject({ sql: text, parameters })
  }
})
