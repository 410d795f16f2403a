import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** When the connection is lost: before the server sees the request, before its answer starts, or within the answer. */
export type Drop = 'before' | 'after' | 'during'

export interface DroppingProxy {
  url: string
  /** What happens to the next connection; afterwards they are passed on again. */
  drop(when: Drop): void
  dropped(): number
  close(): Promise<void>
}

/** A proxy on the level of TCP, so that a client sees what it sees when a network fails. */
export async function startDroppingProxy(target: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let next: Drop | undefined
  let dropped = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => upstream.end())
    upstream.on('close', () => client.destroy())
    client.on('data', (piece) => {
      if (next === 'before') lose(client)
      else upstream.write(piece)
    })
    upstream.on('data', (piece) => {
      if (next === undefined) return client.write(piece)
      // Half of the answer is sent on, with its headers, and the rest is lost.
      if (next === 'during') client.write(piece.subarray(0, piece.length - 10), () => lose(client))
      else lose(client)
    })
  })
  const lose = (client: Socket): void => {
    if (next === undefined) return
    const isAnswering = next === 'during'
    next = undefined
    dropped++
    // A reset would take back what was sent, so that no part of the answer arrives.
    if (isAnswering) client.destroy()
    else client.resetAndDestroy()
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    drop: (when) => (next = when),
    dropped: () => dropped,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
