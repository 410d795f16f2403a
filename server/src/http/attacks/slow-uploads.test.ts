import { connect, type Socket } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { usePayments, untilSettled } from '../../../test/worlds/test-payments.ts'
import {
  nairaRows,
  openBatches,
  type BatchOrg,
} from '../../domains/products/payout-batches/testing/test-batches.ts'

const t = usePayments({
  delayMs: untilSettled,
  env: { RATE_LIMIT_PER_SECOND: '10', RATE_LIMIT_BURST: '40' },
})
let org: BatchOrg
let neighbour: BatchOrg
beforeAll(async () => {
  org = await openBatches(t)
  neighbour = await openBatches(t)
})

const dryRun = async (of: BatchOrg, rows: number): Promise<{ status: number; retryAfter: number }> => {
  const { status, headers } = await t.call('POST', '/v1/payouts/batches?dry_run=true', {
    as: of.staff.token,
    body: { rows: nairaRows(of.banked, rows) },
    unaudited: true,
  })
  return { status, retryAfter: Number(headers['retry-after'] ?? 0) }
}

/** Announces a large body and sends a few bytes of it; the first line of the answer comes when the server gives up. */
function slowUpload(key: string): { socket: Socket; answer: Promise<string> } {
  const { port, hostname } = new URL(t.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /v1/payouts/batches?dry_run=true HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nX-Api-Key: NONE\r\n` +
      'Content-Type: application/json\r\nContent-Length: 4000000\r\n\r\n{"rows":[',
  )
  const drip = setInterval(() => socket.write(' '), 200)
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  socket.on('data', (data) => (received += data.toString()))
  socket.on('error', reject)
  socket.on('close', () => {
    clearInterval(drip)
    resolve(received)
  })
  return { socket, answer: promise }
}

describe('uploads that send a byte now and then', () => {
  it('are cut, and meanwhile another organisation uploads and this one does everything else', async () => {
    const uploads = Array.from({ length: 3 }, () => slowUpload(org.staff.token))
    expect((await dryRun(neighbour, 3)).status).toBe(200)
    expect((await org.call('GET', '/v1/payouts/batches')).status).toBe(200)
    const [first] = await Promise.all(uploads.slice(0, 1).map(({ answer }) => answer))
    expect(first).toMatch(/^HTTP\/1\.1 408 /)
    expect(first).toContain('UPLOAD_TOO_SLOW')
    for (const { socket } of uploads) socket.destroy()
    await expect.poll(async () => (await dryRun(org, 3)).status, { timeout: 20_000 }).toBe(200)
  })
})

describe('checks of large files', () => {
  it('count as what they cost, and do not stop what else the organisation sends', async () => {
    const large = await dryRun(neighbour, 2_000)
    expect(large.status).toBe(200)
    const refused = await dryRun(neighbour, 2_000)
    expect(refused.status).toBe(429)
    expect(refused.retryAfter).toBeGreaterThan(0)
    expect((await neighbour.call('GET', '/v1/payouts/batches')).status).toBe(200)
    expect((await dryRun(org, 100)).status).toBe(200)
  })

  it('a file of the most rows is checked by whoever has sent none for a while', async () => {
    const fresh = await openBatches(t)
    expect((await dryRun(fresh, 10_000)).status).toBe(200)
    expect((await dryRun(fresh, 1)).status).toBe(429)
  })
})
