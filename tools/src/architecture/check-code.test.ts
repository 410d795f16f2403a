import { describe, expect, it } from 'vitest'
import {
  checkAmounts,
  checkAssertionReasons,
  checkEnums,
  checkRoutePaths,
  checkSqlPlaces,
  checkStoreSignatures,
} from './check-code.ts'
import { repositoryOf, type Repository } from './repository.ts'

const domain = 'server/src/domains/payments'

function holding(path: string, ...lines: string[]): Repository {
  return repositoryOf([{ path, text: lines.join('\n') }])
}

describe('SQL outside stores', () => {
  it.each([
    "export const rows = db.selectFrom('payments')",
    "export const rows = db.insertInto('payments')",
    "export const rows = db.updateTable('payments')",
    "export const rows = db.deleteFrom('payments')",
    'export const rows = sql`now()`',
    'export const rows = sql<number>`now()`',
    "export const rows = 'select id from payments'",
    "export const rows = 'SELECT id FROM payments'",
    "export const rows = 'insert into payments values (1)'",
    "export const rows = 'update payments set status = 1'",
    "export const rows = 'delete from payments'",
    'export const rows = `\n  select ${columns}\n  from payments`',
  ])('%s is refused', (line) => {
    expect(checkSqlPlaces(holding(`${domain}/list-payments.ts`, "// a comment with '…'", line))).toEqual([
      `${domain}/list-payments.ts:2 builds SQL; only store.ts, kernel/db/, kernel/engine/ and kernel/ledger/ may`,
    ])
  })

  it.each([
    "export const message = 'Select a rate from the list and set it'",
    "export const message = 'update your details'",
    '// select id from payments',
    'export const rate = rates.select()',
  ])('%s is not SQL', (line) => {
    expect(checkSqlPlaces(holding(`${domain}/list-payments.ts`, line))).toEqual([])
  })

  it.each([
    `${domain}/store.ts`,
    `${domain}/store.test.ts`,
    'server/src/kernel/db/pool.ts',
    'server/src/kernel/engine/outbox.ts',
    'server/src/kernel/ledger/transfer.ts',
    'server/test/database.ts',
  ])('%s may contain SQL', (path) => {
    expect(checkSqlPlaces(holding(path, "export const rows = db.selectFrom('payments')"))).toEqual([])
  })
})

describe('the signatures of a store', () => {
  it.each([
    ['findPayment', 'export async function findPayment(tx: Tx, id: string) {}'],
    ['findPayment', 'export function findPayment(tx: Tx) {}'],
    ['findPayment', 'export const findPayment = async (tx: Tx, id: string) => {}'],
    ['findPayment', 'function findPayment(tx: Tx, id: string) {}\nexport { findPayment }'],
  ])('%s without an org among its first two parameters is refused: %s', (name, text) => {
    expect(checkStoreSignatures(holding(`${domain}/store.ts`, text))).toEqual([
      `${domain}/store.ts:1 ${name} takes no orgId; store functions are (tx, orgId, …), statements for a batch (orgId, …), or named …AcrossOrgs`,
    ])
  })

  it.each([
    'export const insertPayment = (orgId: string, payment: Payment) => statements.insertInto()',
    'export async function findPayment(tx: Tx, orgId: string, id: string) {}',
    'export const findPayment = (tx: Tx, orgId: string) => {}',
    'export async function findDuePaymentsAcrossOrgs(tx: Tx, limit: number) {}',
    'function toPayment(row: Row) {}',
    'export type Payment = { id: string }',
  ])('%s is accepted', (text) => {
    expect(checkStoreSignatures(holding(`${domain}/store.ts`, text))).toEqual([])
  })

  it('other files of a domain are not checked', () => {
    expect(
      checkStoreSignatures(holding(`${domain}/rules.ts`, 'export function next(a: A, b: B) {}')),
    ).toEqual([])
  })
})

describe('the paths of routes', () => {
  const inFull = 'write every path in full'

  it.each([
    ["route({ method: 'GET', path: '/payments' })", "the path '/payments'; a path starts with /v1/"],
    ["app.get('/metrics', handler)", "the path '/metrics'; a path starts with /v1/"],
    ["route('GET', '/payments')", "the path '/payments'; a path starts with /v1/"],
    ['route({ path: `/v1/${name}` })', inFull],
    ["route({ path: base + '/payments' })", inFull],
    ['route({ url: paymentsPath })', inFull],
    ['app.post(paymentsPath, handler)', inFull],
    ["app.register(routes, { prefix: '/v1/payments' })", inFull],
  ])('%s is refused', (text, reason) => {
    const [line] = checkRoutePaths(holding(`${domain}/routes.ts`, '', text))
    expect(line).toContain(`${domain}/routes.ts:2 `)
    expect(line).toContain(reason)
  })

  it.each([
    "route({ method: 'GET', path: '/v1/payments/:payment_id' })",
    "app.get('/healthz', handler)",
    "app.get('/readyz', handler)",
    "app.get('/openapi.json', handler)",
    "app.get('/docs', handler)",
    "app.get('/auth/login', handler)",
    'cache.get(key)',
    "text.split('/')",
  ])('%s is accepted', (text) => {
    expect(checkRoutePaths(holding(`${domain}/routes.ts`, text))).toEqual([])
  })
})

describe('type assertions', () => {
  const line = 'export const id = value as string'
  const refused = `${domain}/rules.ts:1 asserts a type with \`as\`; say why in a comment beside or above it`

  it('a bare assertion is refused, a chain of them once', () => {
    expect(checkAssertionReasons(holding(`${domain}/rules.ts`, line))).toEqual([refused])
    expect(checkAssertionReasons(holding(`${domain}/rules.ts`, 'const id = value as unknown as Id'))).toEqual(
      [refused],
    )
  })

  it.each([
    [`${line} // the driver types it as unknown`],
    [`// the driver types it as unknown\n${line}`],
    ["export const states = ['open'] as const"],
    ["import { a as b } from 'a'"],
  ])('%s is accepted', (text) => {
    expect(checkAssertionReasons(holding(`${domain}/rules.ts`, text))).toEqual([])
  })

  it('tests may assert', () => {
    expect(checkAssertionReasons(holding(`${domain}/rules.test.ts`, line))).toEqual([])
  })
})

describe('amounts', () => {
  const pay = `${domain}/initiation/pay.ts`
  it('a number of an amount is refused', () => {
    expect(checkAmounts(holding(pay, 'const amount = Number(formatMinor(minor, currency))'))).toEqual([
      `${pay}:1 makes a number of an amount; pass exactAmount or the digits`,
    ])
    expect(checkAmounts(holding(pay, 'parseFloat(formatMinor(minor, currency))'))).toHaveLength(1)
  })

  it('digits are accepted', () => {
    expect(checkAmounts(holding(pay, 'const text = formatMinor(minor, currency)', 'Number(count)'))).toEqual(
      [],
    )
  })
})

describe('enums', () => {
  it('an enum is refused', () => {
    expect(checkEnums(holding(`${domain}/rules.ts`, '', 'export enum Status { open }'))).toEqual([
      `${domain}/rules.ts:2 declares an enum; use a const object or a union of literals`,
    ])
  })

  it('a const object is accepted', () => {
    expect(checkEnums(holding(`${domain}/rules.ts`, 'export const status = { open: 1 }'))).toEqual([])
  })
})
