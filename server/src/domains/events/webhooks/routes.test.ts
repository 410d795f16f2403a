import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { addPerson } from '../../../../test/app/people.ts'
import { useApp, type Json } from '../../../../test/app/test-app.ts'
import { createTestClock } from '../../../../test/worlds/test-payments.ts'
import { startTestReceiver } from '../../../../test/app/test-receiver.ts'
import { openWebhooks, webhooksPath, type OrgWebhooks } from '../../../../test/app/test-webhooks.ts'
import { signatureHeaders } from './rules.ts'
import { eventTypes } from './events.ts'

const hour = 3_600_000
const url = 'https://hooks.example.com/switchyard'
const clock = createTestClock()

const t = useApp({ clock })
let org: OrgWebhooks
beforeAll(async () => {
  org = await openWebhooks(t)
})

describe('201', () => {
  it('registers with the fields of the specification and shows the secret in this response only', async () => {
    const answer = await org.call('POST', '', { endpoint_url: url })
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({ status: 'success', message: expect.any(String) })
    const { secret_key: secret, ...shown } = answer.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(shown).toEqual({
      webhook_id: expect.any(String),
      org_id: org.orgId,
      endpoint_url: url,
      description: null,
      events: [
        'payment.completed',
        'payment.failed',
        'payment.refunded',
        'payment.processing',
        'virtual_account.deposit',
        'virtual_account.withdrawal',
        'virtual_account.frozen',
        'virtual_account.unfrozen',
        'kyc.submitted',
        'kyb.approved',
        'kyb.rejected',
        'transaction.updated',
        'escrow.milestone_updated',
        'escrow.disbursement_failed',
        'dispute.opened',
        'dispute.updated',
        'dispute.closed',
        'payout_batch.paused',
        'payout_batch.completed',
        'provider.health_changed',
      ],
      status: 'active',
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    const reads = await Promise.all([
      org.call('GET', ''),
      org.call('GET', `/${shown.webhook_id}`),
      org.call('PATCH', `/${shown.webhook_id}`, { description: 'mine' }),
      t.call('GET', `/v1/organizations/${org.orgId}/audit-log`, { as: org.admin.token }),
    ])
    for (const read of reads) {
      expect(read.status).toBe(200)
      expect(read.text).not.toContain(secret)
      expect(read.text).not.toContain('secret_key')
    }
  })

  it('registers several endpoints, even with the same address, each with its own secret', async () => {
    const own = await openWebhooks(t)
    const made = [await own.register(url), await own.register(url), await own.register(`${url}/2`)]
    expect(new Set(made.map(({ secret_key: secret }) => secret)).size).toBe(3)
    expect((await own.call('GET', '')).body.count).toBe(3)
  })

  it('accepts a list of events and a description', async () => {
    const made = await org.register(url, { events: ['payment.completed'], description: 'ledger' })
    expect(made).toMatchObject({ events: ['payment.completed'], description: 'ledger' })
  })
})

describe('200', () => {
  it('lists the endpoints of the organisation only, oldest first', async () => {
    const own = await openWebhooks(t)
    const first = await own.register(url)
    const second = await own.register(`${url}/2`)
    const { body } = await own.call('GET', '')
    expect(body).toMatchObject({ status: 'success', count: 2 })
    expect(body.data.map((row: Json) => row.webhook_id)).toEqual([first.webhook_id, second.webhook_id])
  })

  it('changes address, events and description; null events subscribe to all', async () => {
    const { webhook_id: id } = await org.register(url, { events: ['kyb.approved'] })
    const change = { endpoint_url: `${url}/new`, events: ['payment.failed'], description: 'b' }
    expect((await org.call('PATCH', `/${id}`, change)).body.data).toMatchObject(change)
    expect((await org.call('PATCH', `/${id}`, { events: null })).body.data.events).toHaveLength(
      eventTypes.length,
    )
    expect((await org.call('GET', `/${id}`)).body.data).toMatchObject({ endpoint_url: `${url}/new` })
  })

  it('pauses and resumes', async () => {
    const { webhook_id: id } = await org.register(url)
    expect((await org.call('PATCH', `/${id}`, { status: 'paused' })).body.data.status).toBe('paused')
    expect((await org.call('PATCH', `/${id}`, { status: 'active' })).body.data.status).toBe('active')
  })

  it('after a rotation both secrets sign for 24 hours, then only the new one', async () => {
    const receiver = await startTestReceiver()
    const own = await openWebhooks(t)
    const { webhook_id: id, secret_key: before } = await own.register(receiver.url)
    const rotated = await own.call('POST', `/${id}/rotate-secret`)
    const { secret_key: after } = rotated.body.data
    expect(rotated.status).toBe(200)
    expect(after).not.toBe(before)
    const signatures = async (): Promise<{ seen: Json; expected: (secret: string) => Json }> => {
      await own.attempt(await own.deliverTo(id))
      const { headers: seen, body } = receiver.received.at(-1)!
      const signable = {
        eventId: String(seen['webhook-id']),
        body,
        attempt: 1,
        at: new Date(Number(seen['webhook-timestamp']) * 1000),
      }
      return {
        seen,
        expected: (secret) => signatureHeaders({ current: secret, previous: undefined }, signable),
      }
    }
    clock.pass(24 * hour - 60_000)
    const during = await signatures()
    expect(during.seen['webhook-signature'].split(' ')).toEqual([
      during.expected(after)['webhook-signature'],
      during.expected(before)['webhook-signature'],
    ])
    expect(during.seen['x-service-signature']).toBe(during.expected(after)['x-service-signature'])
    clock.pass(60_000)
    const later = await signatures()
    expect(later.seen['webhook-signature']).toBe(later.expected(after)['webhook-signature'])
    await receiver.stop()
  })
})

describe('204', () => {
  it('deletes the endpoint and its secrets at once, and leaves its deliveries to the engine', async () => {
    const own = await openWebhooks(t)
    const { webhook_id: id } = await own.register(url)
    await own.notify()
    expect((await own.call('DELETE', `/${id}`)).status).toBe(204)
    expect((await own.call('GET', `/${id}`)).status).toBe(404)
    expect((await own.call('DELETE', `/${id}`)).status).toBe(404)
    expect((await own.call('PATCH', `/${id}`, { status: 'active' })).status).toBe(404)
    expect((await own.call('GET', '')).body.data).toEqual([])
    expect((await own.notify()).deliveries).toEqual([])
    const { rows } = await t.owner.query(
      `select secret_sealed, previous_secret_sealed from webhooks where webhook_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ secret_sealed: Buffer.alloc(0), previous_secret_sealed: null }])
    const jobs = await t.owner.query(
      `select payload from outbox where org_id = $1 and service = 'Webhooks' and handler = 'remove'`,
      [own.orgId],
    )
    expect(jobs.rows).toEqual([{ payload: { orgId: own.orgId, webhookId: id } }])
  })
})

describe('400', () => {
  it.each([
    ['no address', {}],
    ['not a URL', { endpoint_url: 'hooks' }],
    ['http', { endpoint_url: 'http://hooks.example.com/' }],
    ['credentials', { endpoint_url: 'https://user:password@hooks.example.com/' }],
    ['a port that is not allowed', { endpoint_url: 'https://hooks.example.com:22/' }],
    ['a private address', { endpoint_url: 'https://10.0.0.1/' }],
    ['the metadata service', { endpoint_url: 'https://169.254.169.254/' }],
    ["Azure's wire server", { endpoint_url: 'https://168.63.129.16/' }],
    ['the same as a number', { endpoint_url: 'https://0xa83f8110/' }],
    ["Alibaba's metadata service", { endpoint_url: 'https://100.100.100.200/' }],
    ["Oracle's metadata service", { endpoint_url: 'https://192.0.0.192/' }],
    ["Amazon's metadata service over IPv6", { endpoint_url: 'https://[fd00:ec2::254]/' }],
    ['a mapped address', { endpoint_url: 'https://[::ffff:169.254.169.254]/' }],
    ['an address behind NAT64', { endpoint_url: 'https://[64:ff9b::169.254.169.254]/' }],
    ['a 6to4 address', { endpoint_url: 'https://[2002:a9fe:a9fe::1]/' }],
    ['a Teredo address', { endpoint_url: 'https://[2001:0:a9fe:a9fe::1]/' }],
    ['an internal name', { endpoint_url: 'https://metadata.google.internal/' }],
    ['an address of over 2000 characters', { endpoint_url: `${url}/${'a'.repeat(2000)}` }],
    ['an unknown event', { endpoint_url: url, events: ['payment.exploded'] }],
    ['no events', { endpoint_url: url, events: [] }],
    ['events that are not a list', { endpoint_url: url, events: 'payment.completed' }],
  ])('%s', async (_what, body) => {
    const answer = await org.call('POST', '', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 'error', message: expect.any(String) })
  })

  it('the message says which rule the address breaks', async () => {
    const { body } = await org.call('POST', '', { endpoint_url: 'https://10.0.0.1/' })
    expect(body.message).toBe('endpoint_url must be a public address.')
    expect(body.details).toEqual([{ path: 'endpoint_url', message: body.message }])
  })

  it('a change to a forbidden address, or to a status that only the service sets, has no effect', async () => {
    const { webhook_id: id } = await org.register(url)
    expect((await org.call('PATCH', `/${id}`, { endpoint_url: 'https://10.0.0.1/' })).status).toBe(400)
    expect((await org.call('PATCH', `/${id}`, { status: 'disabled' })).status).toBe(400)
    expect((await org.call('GET', `/${id}`)).body.data).toMatchObject({ endpoint_url: url, status: 'active' })
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', webhooksPath)).status).toBe(401)
    expect((await t.call('POST', webhooksPath, { body: { endpoint_url: url } })).status).toBe(401)
  })
})

describe('403', () => {
  it('staff can read but not write, and a viewer cannot read', async () => {
    const [staff, viewer] = [await addPerson(t, org.orgId, 'staff'), await addPerson(t, org.orgId, 'viewer')]
    const { webhook_id: id } = await org.register(url)
    const as = staff.token
    expect((await t.call('GET', webhooksPath, { as })).status).toBe(200)
    expect((await t.call('GET', webhooksPath, { as: viewer.token })).status).toBe(403)
    const writes = [
      t.call('POST', webhooksPath, { as, body: { endpoint_url: url } }),
      t.call('PATCH', `${webhooksPath}/${id}`, { as, body: { status: 'paused' } }),
      t.call('DELETE', `${webhooksPath}/${id}`, { as }),
      t.call('POST', `${webhooksPath}/${id}/rotate-secret`, { as }),
      t.call('POST', `${webhooksPath}/${id}/test`, { as }),
    ]
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual(writes.map(() => 403))
  })
})

describe('404', () => {
  it('a malformed id', async () => {
    expect((await org.call('GET', '/not-an-id')).status).toBe(404)
  })

  it('an unknown endpoint and one of another organisation get the same response', async () => {
    const stranger = await openWebhooks(t)
    const { webhook_id: theirs } = await stranger.register(url)
    for (const id of [newId(), theirs]) {
      const answers = await Promise.all([
        org.call('GET', `/${id}`),
        org.call('PATCH', `/${id}`, { status: 'paused' }),
        org.call('DELETE', `/${id}`),
        org.call('POST', `/${id}/rotate-secret`),
      ])
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect((await stranger.call('GET', `/${theirs}`)).body.data.status).toBe('active')
  })
})

describe('409', () => {
  it('an organisation has at most 50 endpoints', async () => {
    const own = await openWebhooks(t)
    for (let count = 0; count < 50; count += 1) await own.register(url)
    const answer = await own.call('POST', '', { endpoint_url: url })
    expect(answer.status).toBe(409)
    expect(answer.body.message).toContain('at most 50')
  })
})

describe('at rest', () => {
  it('no secret, old or new, is anywhere in the database', async () => {
    const own = await openWebhooks(t)
    const { webhook_id: id, secret_key: first } = await own.register(url)
    const { secret_key: second } = (await own.call('POST', `/${id}/rotate-secret`)).body.data
    const { rows: tables } = await t.owner.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'`,
    )
    let dump = ''
    for (const { name } of tables) {
      const { rows } = await t.owner.query(`select x::text as line from ${name} x`)
      dump += rows.map(({ line }) => line).join('\n')
    }
    expect(dump).toContain(id)
    for (const secret of [first, second]) {
      const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
      for (const form of [secret, secret.slice(6), key.toString('hex'), Buffer.from(secret).toString('hex')])
        expect(dump).not.toContain(form)
    }
  })
})
