import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { features, permissions, rolePermissions, type Role } from '../../lib/requests/access.ts'
import { newId } from '../../lib/ids.ts'
import { collectRoutes, requestTo, type RouteUnderTest } from '../../../test/contract/every-route.ts'
import { sendRaw } from '../../../test/app/raw-request.ts'
import { readTenantRows } from '../../../test/worlds/tenant-rows.ts'
import { credentialHeaders, memberOf, startTestApp } from '../../../test/app/test-app.ts'
import type { Access } from './access.ts'
import type { App } from '../app.ts'
import { buildServer } from '../server.ts'

// Started before the tests are defined, because each registered route becomes a test.
const t = await startTestApp({ env: { LOG_LEVEL: 'silent' } })
afterAll(() => t.close())

const routes = await collectRoutes(t)
const rows = await readTenantRows(t.owner)
const guarded = routes.filter((route) => route.access.permission !== 'public')
const byName = guarded.map((route) => [route.name, route] as const)

interface CallerUnderTest {
  key: string
  orgId: string
  userId: string
}

/**
 * Sends a request that changes nothing even where it is allowed: reads use existing ids, writes use unknown ids
 * and an invalid body. Access is decided before either is validated.
 */
async function probe(route: RouteUnderTest, caller: CallerUnderTest): Promise<number> {
  const isRead = route.method === 'GET'
  const values = new Map<string, string>([['org_id', caller.orgId]])
  if (isRead) values.set('user_id', caller.userId)
  for (const name of route.pathNames) {
    const existing = isRead ? await rows.find(caller.orgId, name) : undefined
    if (!values.has(name) && (existing !== undefined || name.endsWith('_id')))
      values.set(name, existing ?? newId())
  }
  const { path } = requestTo(
    t,
    { ...route, body: undefined },
    { valueFor: (place, name) => (place === 'path' ? values.get(name) : undefined) },
  )
  const { status } = await t.call(route.method, path, {
    as: caller.key,
    unaudited: true,
    ...(route.body && { rawBody: '"this is no body"' }),
  })
  return status
}

const isHeld = (access: Access, held: readonly string[]): boolean =>
  access.permission === 'member' || held.includes(access.permission)

const hasFeature = (access: Access, org: readonly string[]): boolean =>
  access.feature === undefined || org.includes(access.feature)

const takes = (access: Access, kind: 'api_key' | 'jwt'): boolean =>
  access.credentials?.includes(kind) !== false

function expectAccess(status: number, isAllowed: boolean): void {
  if (!isAllowed) expect(status).toBe(403)
  else expect([401, 403, 500], `the status is ${status}`).not.toContain(status)
}

describe('the access that routes declare', () => {
  it('is listed in docs/endpoints.md for every route, and for no other', () => {
    const reviewed = readFileSync(join(import.meta.dirname, '../../../../docs/endpoints.md'), 'utf8')
      .split('\n')
      .flatMap((line) => {
        const [, , endpoint = '', , needs = ''] = line.split('|').map((cell) => cell.trim())
        return endpoint.startsWith('`') ? [`${endpoint.replaceAll('`', '')} needs ${needs}`] : []
      })
    const declared = routes.map(({ name, access }) => {
      const feature = access.feature === undefined ? '' : `, feature ${access.feature}`
      const kinds = access.credentials === undefined ? '' : `, ${access.credentials.join(' or ')} only`
      return `${name.replaceAll(/:(\w+)/g, '{$1}')} needs ${access.permission}${feature}${kinds}`
    })
    expect(declared.length).toBeGreaterThan(100)
    expect(reviewed.toSorted()).toEqual(declared.toSorted())
  })

  it('names only permissions that exist', () => {
    const known: readonly string[] = [...permissions, 'member', 'public']
    expect(routes.filter(({ access }) => !known.includes(access.permission))).toEqual([])
  })

  const options = {
    publicUrl: t.config.PUBLIC_URL,
    bodyLimitBytes: 1,
    trustProxy: [],
    rateLimit: { perSecond: 1, burst: 1 },
  }

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    'is required: the server does not start with a %s route that declares none',
    async (method) => {
      const withoutAccess = (app: App): void => {
        app.route({ method, url: '/v1/unlisted', config: { spec: '4.1' }, handler: () => 'open' })
      }
      await expect(buildServer(t.deps, options, withoutAccess)).rejects.toThrow(
        `${method} /v1/unlisted declares no access; add it to the config of the route`,
      )
    },
  )

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'needs a control: the server does not start with a %s route that moves money and declares none',
    async (method) => {
      const config = { access: { permission: 'payments:write' } } as const
      const withoutControl = (app: App): void => {
        app.route({ method, url: '/v1/payouts-without-control', config, handler: () => 'paid' })
      }
      await expect(buildServer(t.deps, options, withoutControl)).rejects.toThrow(
        `${method} /v1/payouts-without-control declares no control: say in the config`,
      )
    },
  )

  it('is required on the routes of a nested plugin too', async () => {
    const nested = (app: App): void => {
      app.register(async (scope) => {
        scope.get('/v1/nested', () => 'open')
      })
    }
    await expect(buildServer(t.deps, options, nested)).rejects.toThrow('GET /v1/nested declares no access')
  })
})

describe('without a credential', () => {
  it.each(byName)('%s is 401', async (_name, route) => {
    const { path } = requestTo(t, { ...route, body: undefined }, { valueFor: () => undefined })
    expect((await t.call(route.method, path)).status).toBe(401)
  })
})

const { platformAdmin, orgs } = t.seed
const operator: CallerUnderTest = {
  key: platformAdmin.api_key,
  orgId: platformAdmin.org_id,
  userId: platformAdmin.user_id,
}
const callerOf = (role: Role): CallerUnderTest => {
  if (role === 'platform-admin') return operator
  const { api_key: key, user_id: userId } = memberOf(orgs[0], role)
  return { key, userId, orgId: orgs[0]?.org_id ?? '' }
}
const roleNames: Role[] = ['platform-admin', 'org-admin', 'staff', 'viewer']

describe.each(roleNames)('as %s', (role) => {
  const caller = callerOf(role)
  const orgFeatures = role === 'platform-admin' ? [] : features

  it.each(byName)('%s answers as its declared access says', async (_name, route) => {
    const mayCall = isHeld(route.access, rolePermissions[role]) && hasFeature(route.access, orgFeatures)
    expectAccess(await probe(route, caller), mayCall && takes(route.access, 'api_key'))
  })
})

describe('with a token', async () => {
  const caller = callerOf('org-admin')
  const key = await t.identity.sign({ sub: caller.userId, org_id: caller.orgId })

  it.each(byName)('%s answers as its declared access says', async (_name, route) => {
    const mayCall = isHeld(route.access, rolePermissions['org-admin']) && takes(route.access, 'jwt')
    expectAccess(await probe(route, { ...caller, key }), mayCall)
  })
})

describe('an API key with scopes', () => {
  const withScopes = new Map<string, Promise<string>>()
  /** Creates one key per set of scopes, for the operator, who has every permission. */
  const keyWith = async (scopes: readonly string[]): Promise<string> => {
    // A member may have fifty working keys.
    if (withScopes.size === 30) {
      await t.owner.query(`update api_keys set revoked_at = now() where name = 'narrow'`)
      withScopes.clear()
    }
    const made =
      withScopes.get(scopes.join()) ??
      t
        .call('POST', '/v1/public/api-keys', { as: operator.key, body: { name: 'narrow', scopes } })
        .then((answer): string => answer.body.data.api_key)
    withScopes.set(scopes.join(), made)
    return made
  }
  const narrowable = guarded
    .filter(
      ({ access }) =>
        access.permission !== 'member' && access.feature === undefined && takes(access, 'api_key'),
    )
    .map((route) => [route.name, route] as const)

  it.each(narrowable)('%s needs its permission among them, and no other', async (_name, route) => {
    const { permission } = route.access
    const key = await keyWith([permission])
    expectAccess(await probe(route, { ...operator, key }), true)
    const otherKey = await keyWith(permissions.filter((other) => other !== permission))
    expectAccess(await probe(route, { ...operator, key: otherKey }), false)
  })
})

describe('a revoked permission', () => {
  it('is effective immediately, although the role has it', async () => {
    const { key, orgId, userId } = callerOf('viewer')
    const members = `/v1/organizations/${orgId}/members`
    expect((await t.call('GET', members, { as: key })).status).toBe(200)
    const body = { permissions: ['members:read'] }
    await t.call('DELETE', `${members}/${userId}/permissions`, { as: callerOf('org-admin').key, body })
    expect((await t.call('GET', members, { as: key })).status).toBe(403)
    await t.call('POST', `${members}/${userId}/permissions`, { as: callerOf('org-admin').key, body })
    expect((await t.call('GET', members, { as: key })).status).toBe(200)
  })
})

describe('an organisation without a feature', async () => {
  const admin = { user_id: newId(), email: 'plain@example.test', first_name: 'Pia', last_name: 'Plain' }
  const body = { name: 'Plain', country: 'GB', features: [], admin }
  const created = await t.call('POST', '/v1/organizations', { as: operator.key, body })
  const orgId: string = created.body.data.org_id
  const key = await t.identity.sign({ sub: admin.user_id, org_id: orgId })

  it.each(byName)('%s is allowed exactly if the route needs no feature', async (_name, route) => {
    const mayCall = isHeld(route.access, rolePermissions['org-admin']) && hasFeature(route.access, [])
    expectAccess(
      await probe(route, { key, orgId, userId: admin.user_id }),
      mayCall && takes(route.access, 'jwt'),
    )
  })
})

describe('a method or path that no route has', () => {
  it.each(['HEAD', 'OPTIONS', 'POST'])(
    '%s /v1/users/me is 405, with a credential or without',
    async (method) => {
      for (const headers of [{}, credentialHeaders(operator.key)]) {
        const answer = await sendRaw(t.url, {
          method,
          path: '/v1/users/me',
          headers: Object.entries(headers),
        })
        expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET'])
      }
    },
  )

  it.each([
    ['GET', '/v1/users/me/'],
    ['GET', '/v1//users/me'],
    ['GET', '/V1/users/me'],
    ['GET', '/v1/users/../users/me'],
    ['GET', '/v1/users%2Fme'],
    ['GET', '/v1/users/me;a=b'],
  ])('%s %s is 404, with a credential or without', async (method, path) => {
    for (const headers of [{}, credentialHeaders(operator.key)])
      expect((await sendRaw(t.url, { method, path, headers: Object.entries(headers) })).status).toBe(404)
  })
})
