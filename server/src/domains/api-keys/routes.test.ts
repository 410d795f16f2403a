import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memberOf, startTestApp, type TestApp } from '../../testing/test-app.ts'

let t: TestApp
let admin: string
beforeAll(async () => {
  t = await startTestApp()
  admin = memberOf(t.seed.orgs[0], 'org-admin').api_key
})
afterAll(() => t.close())

describe('200', () => {
  it('lists keys', async () => {
    const answer = await t.call('GET', '/v1/public/api-keys', { as: admin })
    expect(answer.body).toMatchObject({ status: 'success', meta: { total_count: 3 } })
  })
})
