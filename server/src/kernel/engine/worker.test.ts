import { generateKeyPairSync, sign } from 'node:crypto'
import { connect } from 'node:http2'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { toBase58 } from '@switchyard/stack/services/restate-identity-key.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { createLog } from '../../lib/log.ts'
import { useApp } from '../../../test/app/test-app.ts'
import { engineOf, startTestWorker } from '../../../test/app/test-worker.ts'
import { enqueue } from './outbox.ts'
import { defineService, type EngineService, type WorkflowContext } from './service.ts'
import { engineLogger, startWorker, type Worker } from './worker.ts'

const discovery = { accept: 'application/vnd.restate.endpointmanifest.v4+json' }

const app = useApp()

const trial = (name: string, run: (context: WorkflowContext) => Promise<void>): EngineService =>
  defineService<{ go: object }>(engineOf(app), name, { go: { input: z.object({}), run } })

async function statusOf(port: number, path: string, headers: Record<string, string>): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`)
  try {
    return await new Promise((resolve, reject) => {
      session.on('error', reject)
      const stream = session.request({ ':path': path, ...headers })
      stream.on('response', (answer) => resolve(Number(answer[':status'])))
      stream.on('error', reject)
      stream.end()
    })
  } finally {
    session.destroy()
  }
}

describe('request identity', () => {
  const ours = generateKeyPairSync('ed25519')
  const theirs = generateKeyPairSync('ed25519')
  let worker: Worker
  let ran = 0

  /** Signs as the engine does: a token for the path, with the public key as its key id. */
  function signedHeaders(pair: typeof ours, change: { path?: string; expiresInSeconds?: number } = {}) {
    const path = change.path ?? '/discover'
    const nowSeconds = Math.floor(Date.now() / 1_000)
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = part({ typ: 'JWT', alg: 'EdDSA', kid: keyName(pair) })
    const expiresAt = nowSeconds + (change.expiresInSeconds ?? 60)
    const claims = part({ aud: path, iat: nowSeconds - 60, nbf: nowSeconds - 60, exp: expiresAt })
    const signature = sign(null, Buffer.from(`${header}.${claims}`), pair.privateKey)
    return {
      'x-restate-signature-scheme': 'v1',
      'x-restate-jwt-v1': `${header}.${claims}.${signature.toString('base64url')}`,
    }
  }

  function keyName(pair: typeof ours): string {
    const { x = '' } = pair.publicKey.export({ format: 'jwk' })
    return `publickeyv1_${toBase58(Buffer.from(x, 'base64url'))}`
  }

  beforeAll(async () => {
    worker = await startWorker({
      services: [trial('Guarded', async () => void (ran += 1))],
      identityKeys: [keyName(ours)],
      host: '127.0.0.1',
      port: 0,
      log: app.deps.log,
    })
  })

  afterAll(() => worker.stop())

  const invoke = () => `/invoke/${app.config.ENGINE_NAMESPACE}Guarded/go`
  const invocation = { 'content-type': 'application/vnd.restate.invocation.v6', ':method': 'POST' }

  test('a call with a valid signature of the engine is accepted', async () => {
    expect(await statusOf(worker.port, '/discover', { ...discovery, ...signedHeaders(ours) })).toBe(200)
    expect(
      await statusOf(worker.port, invoke(), { ...invocation, ...signedHeaders(ours, { path: invoke() }) }),
    ).toBe(200)
  })

  test.each<[string, () => Record<string, string>]>([
    ['no signature', () => ({})],
    ['the scheme without a token', () => ({ 'x-restate-signature-scheme': 'v1' })],
    ['the scheme "unsigned"', () => ({ 'x-restate-signature-scheme': 'unsigned' })],
    ['an unknown scheme', () => ({ ...signedHeaders(ours), 'x-restate-signature-scheme': 'v9' })],
    ['a malformed token', () => ({ 'x-restate-signature-scheme': 'v1', 'x-restate-jwt-v1': 'a.b.c' })],
    ['a signature by another key', () => signedHeaders(theirs)],
    ['a signature that has expired', () => signedHeaders(ours, { expiresInSeconds: -600 })],
    ['a signature for another path', () => signedHeaders(ours, { path: '/invoke/Other/go' })],
  ])('%s: refused with 401, for discovery as for a job', async (_name, headers) => {
    const before = ran
    expect(await statusOf(worker.port, '/discover', { ...discovery, ...headers() })).toBe(401)
    expect(await statusOf(worker.port, invoke(), { ...invocation, ...headers() })).toBe(401)
    expect(ran).toBe(before)
  })

  test('a signature by another key under a known key id is refused', async () => {
    const forged = signedHeaders(theirs)['x-restate-jwt-v1'].split('.')
    const genuine = signedHeaders(ours)['x-restate-jwt-v1'].split('.')
    const token = [genuine[0], genuine[1], forged[2]].join('.')
    const headers = { ...discovery, 'x-restate-signature-scheme': 'v1', 'x-restate-jwt-v1': token }
    expect(await statusOf(worker.port, '/discover', headers)).toBe(401)
  })

  test('a cached token is refused once it has expired, and for another path at once', async () => {
    const headers = { ...discovery, ...signedHeaders(ours, { expiresInSeconds: 2 }) }
    expect(await statusOf(worker.port, '/discover', headers)).toBe(200)
    expect(await statusOf(worker.port, '/discover', headers)).toBe(200)
    expect(await statusOf(worker.port, invoke(), { ...headers, ...invocation })).toBe(401)
    await waitUntil(async () => (await statusOf(worker.port, '/discover', headers)) === 401, {
      what: 'the end of the token',
    })
  })

  test('the health check needs no signature', async () => {
    expect(await statusOf(worker.port, '/health', {})).toBe(200)
  })
})

describe('stop', () => {
  const start = async (name: string, run: (context: WorkflowContext) => Promise<void>) => {
    const worker = await startTestWorker(app, { services: [trial(name, run)] })
    const orgId = app.seed.orgs[0]!.org_id
    await app.deps.db.inOrg(orgId, (tx) => enqueue(tx, orgId, { service: name, handler: 'go', payload: {} }))
    return worker
  }
  const once = { attempts: 1, firstDelayMs: 10, longestDelayMs: 10 }

  test('a running step finishes first', async () => {
    const gate = Promise.withResolvers<void>()
    let isRunning = false
    let isFinished = false
    const worker = await start('Slow', (context) =>
      context.step('slow', once, async () => {
        isRunning = true
        await gate.promise
        isFinished = true
      }),
    )
    await waitUntil(() => isRunning, { what: 'the step to run' })
    let isStopped = false
    const stopped = worker.stop().then(() => (isStopped = true))
    const isClosed = () =>
      statusOf(worker.port, '/health', {}).then(
        () => false,
        () => true,
      )
    await waitUntil(isClosed, { what: 'the port to be closed' })
    expect(isStopped).toBe(false)
    gate.resolve()
    await stopped
    expect(isFinished).toBe(true)
  })

  test('a sleeping job does not delay it', async () => {
    let isSleeping = false
    let isAwake = false
    const worker = await start('Sleepy', async (context) => {
      isSleeping = true
      await context.sleep(3_600_000)
      isAwake = true
    })
    await waitUntil(() => isSleeping, { what: 'the job to sleep' })
    await worker.stop()
    expect(isAwake).toBe(false)
  })
})

test('errors of the SDK are logged without their messages, and broken calls are not logged', () => {
  const lines: string[] = []
  const log = createLog(
    'info',
    new Writable({ write: (chunk, _, done) => done(void lines.push(`${chunk}`)) }),
  )
  const say = (level: string, ...more: unknown[]): void =>
    engineLogger(log)({ level, replaying: false, source: 'SYSTEM' } as never, 'PAN 4111', ...more) // the fields that are read
  say('warn', Object.assign(new Error('secret'), { code: 'ERR_STREAM_PREMATURE_CLOSE' }))
  say('warn', 'no error at all')
  say('info', new Error('secret'))
  expect(lines).toEqual([])
  say('error', new TypeError('secret'))
  expect(lines).toEqual([expect.stringContaining('TypeError')])
  expect(lines[0]).not.toMatch(/secret|4111/)
})
