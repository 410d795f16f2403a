import { Switchyard } from '@switchyard/sdk'
import { orgHeader, rememberOrganization, sessionHeaders, takeEarly } from './early-requests.ts'

/** After this long without input, requests count as background requests and do not keep the session alive. */
const idleMs = 60_000

/** The organisation that this tab shows. The session may be switched to another one in another tab. */
let shownOrgId: string | undefined
let lastInputMs = performance.now()

for (const type of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
  addEventListener(type, () => (lastInputMs = performance.now()), { passive: true })

export function showOrganization(orgId: string | undefined): void {
  shownOrgId = orgId
  if (orgId !== undefined) rememberOrganization(orgId)
}

const pageHeaders = (isBackground: boolean): Record<string, string> => ({
  ...orgHeader(shownOrgId),
  ...(isBackground && { 'x-switchyard-background': '1' }),
})

export const streamHeaders = (): Record<string, string> => ({ ...sessionHeaders, ...pageHeaders(true) })

/**
 * The public API, called with the person's session. Amounts and rates are text with exactly the digits that were sent.
 * The client retries requests that may succeed later, under the same idempotency key.
 */
export const api = new Switchyard({
  baseUrl: location.origin,
  apiKey: sessionHeaders['x-api-key'],
  fetch: (input, init) =>
    takeEarly(init?.method ?? 'GET', input instanceof Request ? input.url : String(input), shownOrgId) ??
    fetch(input, {
      ...init,
      headers: {
        ...(init?.headers as Record<string, string>), // the SDK passes an object
        ...pageHeaders(performance.now() - lastInputMs > idleMs),
      },
    }),
})
