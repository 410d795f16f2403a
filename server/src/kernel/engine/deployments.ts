import { request } from 'undici'
import { z } from 'zod'

const answerTimeoutMs = 3_000

const deployment = z.object({
  id: z.string(),
  uri: z.string().optional(),
  created_at: z.string(),
  services: z.array(z.object({ name: z.string() })),
})
const answer = z.object({ deployments: z.array(deployment) })

export interface Deployment {
  id: string
  uri: string | undefined
  createdAt: string
  services: number
}

/** The deployments of workers that the engine knows and that serve this installation. */
export async function listDeployments(adminUrl: string, namespace: string): Promise<Deployment[]> {
  const response = await request(new URL('/deployments', adminUrl), {
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  const body = await response.body.text()
  if (response.statusCode >= 300) throw new Error(`the engine answered ${response.statusCode}`)
  return answer.parse(JSON.parse(body)).deployments.flatMap(({ id, uri, created_at, services }) => {
    const own = services.filter(({ name }) => name.startsWith(namespace))
    return own.length === 0 ? [] : [{ id, uri, createdAt: created_at, services: own.length }]
  })
}
