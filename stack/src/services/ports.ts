import { once } from 'node:events'
import { createServer } from 'node:net'
import { randomInt } from 'node:crypto'

export const loopback = '127.0.0.1'

// Below the kernel's ephemeral range, so that no outgoing connection can take the port before it is bound.
const lowestPort = 15_000
const highestPort = 32_000
const maxAttempts = 200

const handedOut = new Set<number>()

export async function portIsFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen({ port, host: loopback, exclusive: true })
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}

/** Returns a free port on loopback, and never the same one twice in a process. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const port = randomInt(lowestPort, highestPort)
    if (handedOut.has(port)) continue
    handedOut.add(port)
    if (await portIsFree(port)) return port
  }
  throw new Error(`no free port found between ${lowestPort} and ${highestPort}`)
}
