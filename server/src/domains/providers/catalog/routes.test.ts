import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectorNames, findConnector } from '../../../connectors/registry.ts'
import { permissions, rolePermissions, roles } from '../../../lib/requests/access.ts'
import { memberOf, useApp, type Json } from '../../../../test/app/test-app.ts'
import { eventDataSchemas, eventTypes } from '../../events/webhooks/events.ts'

const t = useApp()
const admin = (): string => memberOf(t.seed.orgs[0], 'org-admin').api_key
const viewer = (): string => memberOf(t.seed.orgs[0], 'viewer').api_key
const get = async (path: string): Promise<Json> => {
  const answer = await t.call('GET', path, { as: viewer() })
  expect(answer.status).toBe(200)
  return answer.body
}

/** Amounts are raw numbers inside and plain ones on the wire. */
const wireSchema = (schema: z.ZodType): z.ZodType =>
  z.fromJSONSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

describe('200', () => {
  it('roles: every role with its permissions, and a sentence for each permission', async () => {
    const { data } = await get('/v1/catalog/roles')
    expect(data.roles.map(({ role }: Json) => role)).toEqual(roles)
    for (const { role, permissions: held } of data.roles)
      expect(held).toEqual(rolePermissions[role as (typeof roles)[number]])
    expect(data.permissions.map(({ permission }: Json) => permission)).toEqual(permissions)
    for (const { permission, resource, action, description } of data.permissions) {
      expect(`${resource}:${action}`).toBe(permission)
      expect(description).toMatch(/^[A-Z].*\.$/)
    }
    expect(data.features).toEqual(['escrow'])
  })

  it('events: every type with an example that fits its schema', async () => {
    const { data, count } = await get('/v1/catalog/events')
    expect(count).toBe(eventTypes.length)
    expect(data.map(({ event_type }: Json) => event_type)).toEqual(eventTypes)
    for (const { event_type, example, description } of data) {
      const schema = eventDataSchemas[event_type as (typeof eventTypes)[number]]
      expect([event_type, wireSchema(schema).safeParse(example.data).error]).toEqual([event_type, undefined])
      expect(Object.keys(example.data).sort()).toEqual(
        Object.keys(schema.shape)
          .filter((name) => name !== 'test')
          .sort(),
      )
      expect(example).toMatchObject({ event_type, event_id: expect.any(String) })
      expect(description).not.toBe('')
    }
  })

  it('events: an example says what the event says', async () => {
    const { data } = await get('/v1/catalog/events')
    const dataOf = (type: string): Json =>
      data.find(({ event_type }: Json) => event_type === type).example.data
    expect(dataOf('payment.completed').status).toBe('completed')
    expect(dataOf('payment.failed')).toMatchObject({
      status: 'failed',
      failure: { code: expect.any(String) },
    })
    expect(dataOf('virtual_account.withdrawal').type).toBe('debit')
    expect(dataOf('dispute.closed').state).toBe('won')
  })

  it('providers: every connector with what it can do and what is stored for it', async () => {
    const { data, count } = await get('/v1/catalog/providers')
    expect(count).toBe(connectorNames.length)
    expect(data.map(({ provider }: Json) => provider).sort()).toEqual([...connectorNames].sort())
    const paystack = data.find(({ provider }: Json) => provider === 'paystack')
    expect(paystack).toMatchObject({
      features: { refunds: true, webhooks: true, bank_lists: true, account_currencies: ['NGN'] },
      webhook_signature: 'HMAC-SHA512',
    })
    expect(paystack.capabilities).toContainEqual({
      direction: 'payin',
      payment_method: 'bank_transfer',
      countries: ['NG'],
      currencies: ['NGN'],
    })
    const secret = paystack.credential_fields.find(({ name }: Json) => name === 'secretKey')
    expect(secret).toMatchObject({ type: 'string', is_required: true, is_secret: true })
    expect(paystack.credential_fields.find(({ name }: Json) => name === 'baseUrl')).toMatchObject({
      is_required: false,
      is_secret: false,
    })
  })

  it('providers: what is required is exactly what storing keys refuses to be without', async () => {
    const { data } = await get('/v1/catalog/providers')
    for (const { provider, credential_fields } of data) {
      const issues = findConnector(provider)?.credentials.safeParse({}).error?.issues ?? []
      const refused = new Set(issues.map(({ path }) => path[0]))
      const required = credential_fields.filter(({ is_required }: Json) => is_required)
      expect([provider, new Set(required.map(({ name }: Json) => name))]).toEqual([provider, refused])
    }
  })
})

describe.each(['/v1/catalog/roles', '/v1/catalog/events', '/v1/catalog/providers'])('%s', (path) => {
  it('401 without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })

  it('200 for an org-admin too', async () => {
    expect((await t.call('GET', path, { as: admin() })).status).toBe(200)
  })
})
