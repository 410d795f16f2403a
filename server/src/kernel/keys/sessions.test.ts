import { afterAll, expect, it } from 'vitest'
import { createKeyFiles } from '../../../test/app/key-files.ts'
import { useSignIn } from '../../../test/worlds/test-sign-in.ts'

const files = createKeyFiles()
const identity = useSignIn({ env: files.env })
afterAll(() => files.remove())

it('sessions and sign-ins in progress outlive a rotation of both secrets', async () => {
  const orgId = identity.t.seed.orgs[0]?.org_id ?? ''
  const account = await identity.addAccount(orgId, 'org-admin')
  const [signedIn, signingIn] = [identity.newBrowser(), identity.newBrowser()]
  expect((await signedIn.signIn(account)).status).toBe(303)
  const callback = await signingIn.untilCallback(account)
  await files.rotate(identity.t, 'SECRET_KEY')
  await files.rotate(identity.t, 'API_KEY_PEPPER')
  const path = `/v1/organizations/${orgId}`
  expect((await signedIn.call('GET', path)).status).toBe(200)
  expect((await signingIn.visit(callback)).status).toBe(303)
  expect((await signingIn.call('GET', path)).status).toBe(200)
})
