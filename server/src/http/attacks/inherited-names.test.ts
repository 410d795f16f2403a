import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  collectRoutes,
  namesInBody,
  queryOf,
  requestTo,
  type RouteUnderTest,
} from '../../../test/contract/every-route.ts'
import { kybWebhookPath } from '../../../test/worlds/test-kyb.ts'
import { credentialHeaders } from '../../../test/app/test-app.ts'
import { openPayments, usePayments } from '../../../test/worlds/test-payments.ts'

/** Names that every object inherits: a look-up by such a name finds a function where nothing should be. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const

const t = usePayments({ env: { LOG_LEVEL: 'silent' } })

describe('a name that objects inherit', () => {
  it.each(inherited)('is no algorithm of a KYB webhook: %s', async (name) => {
    const rawBody = '{}'
    const answer = await t.call('POST', kybWebhookPath, {
      rawBody,
      headers: {
        'x-payload-digest-alg': name,
        'x-payload-digest': createHmac('sha256', 'guess').update(rawBody).digest('hex'),
      },
    })
    expect(answer.status).toBe(401)
  })

  it.each(inherited)('is no provider, page, link or file: %s', async (name) => {
    const paths = [
      `/pay/${name}`,
      `/pay-assets/${name}`,
      `/return/${name}`,
      `/verify/${name}`,
      `/invitations/${name}`,
    ]
    for (const path of paths) expect([path, (await t.call('GET', path)).status]).toEqual([path, 404])
  })

  it('is an ordinary value in every field of every route', { timeout: 300_000 }, async () => {
    const org = await openPayments(t)
    const failures: string[] = []
    for (const route of await collectRoutes(t)) {
      if (!route.path.startsWith('/v1/')) continue
      for (const field of fieldsOf(route)) {
        const { path, options } = requestTo(t, route, {
          wanted: new Set([field]),
          valueFor: (_place, name) =>
            name === field ? 'constructor' : name === 'org_id' ? org.orgId : undefined,
        })
        const { status } = await fetch(`${t.url}${path}`, {
          method: route.method,
          headers: { ...credentialHeaders(org.credential), 'content-type': 'application/json' },
          ...(route.body && { body: JSON.stringify(options.body) }),
        })
        if (status === 500) failures.push(`${route.name}: ${field}`)
      }
    }
    expect(failures).toEqual([])
  })
})

const fieldsOf = (route: RouteUnderTest): string[] => [
  ...new Set([...route.pathNames, ...queryOf(route).map(({ name }) => name), ...namesInBody(t, route)]),
]
