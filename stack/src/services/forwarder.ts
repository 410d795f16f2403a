import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { loopback } from './ports.ts'

/** A TCP proxy in front of several instances of a program, as a load balancer or a virtual IP address would be. */
export type Forwarder = {
  readonly url: string
  addTarget(port: number): void
  /** Sends new connections to these ports only; open connections are not affected. */
  retarget(ports: readonly number[]): void
  /** Breaks every open connection. */
  cut(): void
  /** Breaks every open connection and refuses new ones for a while. */
  interrupt(ms: number): Promise<void>
  stop(): Promise<void>
}

export async function startForwarder(port: number, targets: readonly number[]): Promise<Forwarder> {
  let ports = targets
  let interruptions = 0
  let turn = 0
  const open = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket)).on('error', () => undefined)
    return socket
  }
  const server = createServer((client) => {
    track(client)
    turn += 1
    const order = ports.map((_, index) => ports[(turn + index) % ports.length] ?? 0)
    join(client, interruptions > 0 ? [] : order, track)
  })
  server.listen(port, loopback)
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://${loopback}:${port}`,
    addTarget: (target) => void (ports = [...ports, target]),
    retarget: (next) => void (ports = next),
    cut,
    async interrupt(ms) {
      interruptions += 1
      cut()
      await delay(ms)
      interruptions -= 1
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** Connects the client to the first port that accepts; closes the client's connection when none does. */
function join(client: Socket, [port, ...others]: readonly number[], track: (socket: Socket) => Socket): void {
  if (port === undefined || client.destroyed) {
    client.destroy()
    return
  }
  const server = track(connect({ port, host: loopback, noDelay: true }))
  client.setNoDelay(true)
  const next = (): void => join(client, others, track)
  server.once('error', next)
  server.once('connect', () => {
    server.off('error', next)
    client.pipe(server).pipe(client)
    client.once('close', () => server.destroy())
    server.once('close', () => client.destroy())
  })
}
