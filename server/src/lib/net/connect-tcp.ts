import { createConnection } from 'node:net'

/** Resolves when the port accepts a connection, which is closed at once. */
export function connectTcp(
  { hostname, port }: { hostname: string; port: number },
  timeoutMs: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname.replace(/^\[|\]$/g, ''), port })
    socket.setTimeout(timeoutMs, () =>
      socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
    )
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}
