import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { loopback } from '@switchyard/stack/services/ports.ts'

/** The address in front of several copies of a program, as a load balancer or a virtual address would be. */
export type Forwarder = {
  readonly url: string
  /** From now on new connections go to these ports; those that are open stay where they are. */
  retarget(ports: readonly number[]): void
  /** Breaks every open connection. */
  cut(): void
  /** Breaks them, and lets nobody through for a while. */
  interrupt(ms: number): Promise<void>
  stop(): Promise<void>
}

export async function startForwarder(port: number, targets: readonly number[]): Promise<Forwarder> {
  let ports = targets
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
    join(client, order, track)
  })
  server.listen(port, loopback)
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://${loopback}:${port}`,
    retarget: (next) => void (ports = next),
    cut,
    async interrupt(ms) {
      const before = ports
      ports = []
      cut()
      await delay(ms)
      ports = before
    },
    async stop() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

/** The first port that takes the connection has it; when none does, the client is turned away. */
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
