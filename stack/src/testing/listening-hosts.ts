import { readFile } from 'node:fs/promises'

const listeningState = '0A'
const hosts: Record<string, string> = {
  '0100007F': '127.0.0.1',
  '00000000': '0.0.0.0',
  '00000000000000000000000000000000': '::',
}

/** The addresses on which this Linux machine listens at the port. */
export async function listeningHosts(port: number): Promise<string[]> {
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  return tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === listeningState && Number(`0x${local?.split(':')[1]}`) === port)
    .map(([, local]) => local?.split(':')[0] ?? '')
    .map((address) => hosts[address] ?? address)
}
