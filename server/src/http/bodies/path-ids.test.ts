import { beforeAll, describe, expect, it } from 'vitest'
import { memberOf, useApp } from '../../../test/app/test-app.ts'

const t = useApp()

interface Document {
  paths: Record<string, Record<string, unknown>>
}

describe('404', () => {
  let operations: { method: string; path: string }[]
  beforeAll(() => {
    const { paths } = t.app.swagger() as unknown as Document
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      path.startsWith('/v1/') && /\{\w+_id\}/.test(path) && !path.includes('{user_id}')
        ? Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }))
        : [],
    )
  })

  it('an id in a path that is no UUID names nothing, in every operation', async () => {
    expect(operations.length).toBeGreaterThan(50)
    const callers = [memberOf(t.seed.orgs[0], 'org-admin').api_key, t.seed.platformAdmin.api_key]
    for (const { method, path } of operations) {
      const target = path.replace('{provider}', 'stripe').replaceAll(/\{\w+_id\}/g, 'not-an-id')
      const answers = await Promise.all(callers.map((as) => t.call(method, target, { as, body: undefined })))
      // Some operations are only for the operator, or only for members of the organisation.
      const statuses = answers.map(({ status }) => status)
      expect([method, path, statuses.includes(404), statuses.includes(400)]).toEqual([
        method,
        path,
        true,
        false,
      ])
    }
  })
})
