import { z } from 'zod'
import type { HttpClient } from '../../../../connectors/kit/http-client.ts'
import { unavailable } from '../../../../lib/errors.ts'
import type { Screener } from './record.ts'

const answer = z.object({ verdict: z.enum(['clear', 'refused']) })
const timeoutMs = 5_000

/** Asks the operator's screening service. Anything but a readable verdict means that nothing is sent. */
export const createHttpScreener = (
  http: HttpClient,
  service: { url: string; token: string | undefined },
): Screener => ({
  async screen({ network, address }) {
    const result = await http({
      method: 'POST',
      url: service.url,
      headers: {
        'content-type': 'application/json',
        ...(service.token !== undefined && { authorization: `Bearer ${service.token}` }),
      },
      body: JSON.stringify({ network, address }),
      timeoutMs,
    })
    const verdict = result.kind === 'answered' && result.status === 200 ? readVerdict(result.body) : undefined
    if (verdict === undefined)
      throw unavailable('The wallet_address could not be screened. Wait a moment and try again.')
    return verdict
  },
})

function readVerdict(body: string): 'clear' | 'refused' | undefined {
  try {
    return answer.parse(JSON.parse(body)).verdict
  } catch {
    return undefined
  }
}
