import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { rewrapDataKeys } from '../../domains/records/data-keys/rewrap-data-keys.ts'
import { readReturnToken, returnToken } from '../../domains/payments/actions/build-return-url.ts'
import { loadPayment } from '../../domains/payments/reads/get-payment.ts'
import { recordTerms } from '../../domains/payments/reads/search/record-terms.ts'
import { checkKeys } from '../../main/doctor/check-keys.ts'
import { checkSecretKey } from '../../main/check-secret-key.ts'
import { createDeps, type Deps } from '../../main/deps.ts'
import { deriveRing, openWithAny, type KeyRing } from '../../lib/crypto/key-ring.ts'
import { toSecret } from '../../lib/crypto/secrets.ts'
import { createKeyFiles, idOf, newKey } from '../../../test/app/key-files.ts'
import { ringOf } from '../../../test/app/test-keys.ts'
import { openAccounts, type TestAccounts } from '../../../test/worlds/test-accounts.ts'
import { cardPayin, mobileMoneyPayin, usePayments } from '../../../test/worlds/test-payments.ts'
import type { CallAnswer, Json } from '../../../test/app/test-app.ts'

const files = createKeyFiles()
const logged: string[] = []
const logTo = new PassThrough().on('data', (chunk: Buffer) => logged.push(chunk.toString()))
const t = usePayments({ env: { ...files.env, LOG_LEVEL: 'trace' }, logTo })
afterAll(() => files.remove())

const origin = { ip: 'test', userAgent: undefined, requestId: 'test' }

/** A process of the same installation with these secrets and no others. */
async function withSecrets<T>(
  secrets: { secretKey: string[]; pepper: string[] },
  use: (deps: Deps) => Promise<T>,
): Promise<T> {
  const deps = await createDeps({
    ...t.config,
    KEY_FILES: {},
    SECRET_KEY: secrets.secretKey.map((key) => toSecret(Buffer.from(key, 'base64'))),
    API_KEY_PEPPER: secrets.pepper.map((key) => toSecret(Buffer.from(key, 'base64'))),
  })
  try {
    return await use(deps)
  } finally {
    await deps.close()
  }
}

const wrappings = async (): Promise<(string | null)[]> =>
  (await t.owner.query('select distinct wrapped_by from data_keys')).rows.map((row) => row.wrapped_by)

const doctor = async (): Promise<Record<string, string>> =>
  Object.fromEntries((await checkKeys(t)).map(({ check, state }) => [check, state]))

let org: TestAccounts
let apiKey: string
let account: Json
let before: { paymentId: string; cursor: string; returnPath: string; webhookUrl: string; first: CallAnswer }

const keyedPayment = (): Promise<CallAnswer> =>
  t.call('POST', '/v1/payments-init/initiate', {
    as: apiKey,
    body: mobileMoneyPayin(),
    headers: { 'idempotency-key': 'before-the-rotation' },
  })
const transactions = async (query: string): Promise<Json> => {
  const answer = await t.call('GET', `/v1/transactions?${query}`, { as: apiKey })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}
const webhookUrl = async (): Promise<string> => {
  const path = '/v1/payments/provider-accounts?provider=pawapay'
  return (await t.call('GET', path, { as: t.seed.platformAdmin.api_key })).body.data[0].webhook_url
}

beforeAll(async () => {
  org = await openAccounts(t)
  account = await org.open()
  apiKey = (await org.call('POST', '/v1/public/api-keys', { name: 'made before' })).body.data.api_key
  const paymentId = await org.start(cardPayin({ country: 'NG', currency: 'NGN', target_currency: 'NGN' }))
  const first = await keyedPayment()
  if (first.status !== 200) throw new Error(first.text)
  await recordTerms(t.deps)
  before = {
    paymentId,
    cursor: (await transactions('limit=1')).meta.last_evaluated_key,
    returnPath: `/return/${returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId })}`,
    webhookUrl: await webhookUrl(),
    first,
  }
})

/** Everything that was handed out before a rotation. */
async function expectAllWorks(): Promise<void> {
  expect((await transactions(`limit=1&last_evaluated_key=${before.cursor}`)).data).toHaveLength(1)
  expect((await t.call('GET', before.returnPath)).status).toBeLessThan(400)
  expect(await webhookUrl()).toBe(before.webhookUrl)
  const repeated = await keyedPayment()
  expect(repeated.headers['idempotent-replayed']).toBe('true')
  expect(repeated.text).toBe(before.first.text)
  expect((await transactions('q=grace')).data.length).toBeGreaterThan(0)
  expect((await org.account(account.account_id)).bank_details).toEqual(account.bank_details)
  await org.deposit(account, 5_000)
  expect(await org.transactions(account.account_id)).not.toEqual([])
}

describe('a rotation while the process runs', () => {
  it('a new key is accepted at once and used later', async () => {
    const [old = ''] = files.keysOf('SECRET_KEY')
    files.write('SECRET_KEY', newKey(), old)
    await t.deps.keys.refresh()
    expect(t.deps.keys.service.currentId).toBe(idOf(old))
    expect(t.deps.keys.tokens.accepted).toHaveLength(2)
    files.write('SECRET_KEY', old)
  })

  it('everything that was handed out before goes on working', async () => {
    await expectAllWorks()
    await files.rotate(t, 'SECRET_KEY')
    await files.rotate(t, 'API_KEY_PEPPER')
    await expectAllWorks()
  })

  it('cursors and links are made with the new key', async () => {
    const [, old = ''] = files.keysOf('SECRET_KEY')
    const of = (purpose: string): KeyRing => deriveRing(ringOf(Buffer.from(old, 'base64')), purpose)
    const made = returnToken(t.deps.returnKey, { orgId: org.orgId, paymentId: before.paymentId })
    expect(readReturnToken(of('return pages'), made)).toBeUndefined()
    expect(readReturnToken(t.deps.returnKey, made)?.paymentId).toBe(before.paymentId)
    const cursor: string = (await transactions('limit=1')).meta.last_evaluated_key
    expect(openWithAny(of('cursors'), Buffer.from(cursor, 'base64url'), 'any')).toBeUndefined()
    expect(cursor).not.toBe(before.cursor)
  })

  it('a process without the old key does not start while data needs it, and the doctor says so', async () => {
    const [current = '', old = ''] = files.keysOf('SECRET_KEY')
    const pepper = files.keysOf('API_KEY_PEPPER')
    await expect(withSecrets({ secretKey: [current], pepper }, checkSecretKey)).rejects.toThrow(
      'SECRET_KEY is not the key',
    )
    await t.deps.vault.rotate(org.orgId)
    await expect(withSecrets({ secretKey: [current], pepper }, checkSecretKey)).rejects.toThrow(
      `SECRET_KEY lacks the key ${idOf(old)}`,
    )
    await withSecrets({ secretKey: [current, old], pepper }, checkSecretKey)
    expect((await doctor())['secret key']).toBe('warning')
  })

  it('a worker wraps every data key again, each with an entry in the audit log', async () => {
    const { rows } = await t.owner.query('select from data_keys where wrapped_by <> $1', [
      t.deps.keys.service.currentId,
    ])
    expect(await rewrapDataKeys(t.deps)).toBe(rows.length)
    expect(await rewrapDataKeys(t.deps)).toBe(0)
    expect(await wrappings()).toEqual([t.deps.keys.service.currentId])
    const audited = await t.owner.query(`select credential from audit_log where action = 'data-key.rewrap'`)
    expect(audited.rows).toEqual(rows.map(() => ({ credential: 'system' })))
    expect((await doctor())['secret key']).toBe('ok')
  })

  it('an API key that is used is hashed with the new pepper, and the doctor counts the others', async () => {
    await t.deps.keyUsage.flush()
    const hashed = `select pepper_id from api_keys where name = 'made before'`
    expect((await t.owner.query(hashed)).rows).toEqual([{ pepper_id: t.deps.peppers.current.id }])
    expect((await doctor())['API key pepper']).toBe('warning')
    for (const { members } of t.seed.orgs)
      for (const { api_key } of members) await t.deps.authenticators.apiKey(api_key, origin)
    await t.deps.authenticators.apiKey(t.seed.platformAdmin.api_key, origin)
    await t.deps.keyUsage.flush()
    expect((await doctor())['API key pepper']).toBe('ok')
  })

  it('without the old secrets everything still opens, and what they signed has ended', async () => {
    const [secretKey = '', pepper = ''] = [files.keysOf('SECRET_KEY')[0], files.keysOf('API_KEY_PEPPER')[0]]
    await withSecrets({ secretKey: [secretKey], pepper: [pepper] }, async (deps) => {
      await checkSecretKey(deps)
      expect((await deps.authenticators.apiKey(apiKey, origin)).orgId).toBe(org.orgId)
      expect((await loadPayment(deps, org.orgId, before.paymentId)).payment.paymentId).toBe(before.paymentId)
      expect(deps.searchKey.current).toEqual(t.deps.searchKey.current)
      expect(readReturnToken(deps.returnKey, before.returnPath.slice('/return/'.length))).toBeUndefined()
    })
  })
})

describe('a file that is wrong', () => {
  const repeated = newKey()
  it.each([
    ['empty', '', 'SECRET_KEY_FILE holds no key'],
    ['cut off', newKey().slice(0, 20), 'SECRET_KEY_FILE must be at least 32 bytes'],
    ['something else', 'this is no key at all!', 'SECRET_KEY_FILE holds something that is not base64'],
    ['the same key twice', `${repeated},${repeated}`, 'SECRET_KEY_FILE holds the same key twice'],
  ])('%s: the keys in memory stay in use', async (_name, text, problem) => {
    const keys = files.keysOf('SECRET_KEY')
    const { currentId } = t.deps.keys.service
    files.write('SECRET_KEY', text)
    await expect(t.deps.keys.refresh()).rejects.toThrow(problem)
    expect(t.deps.keys.service.currentId).toBe(currentId)
    await expectAllWorks()
    files.write('SECRET_KEY', ...keys)
    await t.deps.keys.refresh()
  })

  it('a file that is gone', async () => {
    files.remove()
    await expect(t.deps.keys.refresh()).rejects.toThrow('cannot be read (ENOENT)')
    await expectAllWorks()
  })
})

it('what is wrong with a file is logged, and no secret', async () => {
  const isLogged = (text: string): boolean => logged.join('').includes(text)
  await waitUntil(() => Promise.resolve(isLogged('SECRET_KEY_FILE cannot be read (ENOENT)')), {
    what: 'the log to say that the file is gone',
  })
  expect(files.written.filter((secret) => secret !== '' && isLogged(secret))).toEqual([])
})
