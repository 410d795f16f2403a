export type WireValue = string | Buffer | null

export interface Message {
  /** Undefined for a statement that the connection keeps under no name. */
  name: string | undefined
  /** Set when the connection has yet to parse the statement. */
  text: string | undefined
  values: readonly WireValue[]
  /** Whether to ask for the columns of the result. */
  describes: boolean
}

const codes = { parse: 0x50, bind: 0x42, describe: 0x44, execute: 0x45, sync: 0x53 } as const
/** Avoids a clash with the name that pg's own queries give to the same text. */
const namePrefix = 'p_'
const bytesPerCodeUnit = 3
const shortLength = 64
const lastAscii = 0x7f

let scratch = Buffer.allocUnsafe(64 * 1024)
let end = 0

/**
 * Encodes the messages and the Sync behind them into one buffer, which is one write: pg's own serializer makes a
 * buffer for each. The formats are those of "Message Formats" in the manual of PostgreSQL.
 */
export function encodeMessages(messages: readonly Message[]): Buffer {
  end = 0
  for (const message of messages) {
    if (message.text !== undefined) addParse(message.name, message.text)
    addBind(message)
    if (message.describes) addDescribe()
    addExecute()
  }
  finish(begin(codes.sync))
  return Buffer.from(scratch.subarray(0, end))
}

function addParse(name: string | undefined, text: string): void {
  const start = begin(codes.parse)
  addName(name)
  addCString(text)
  addInt16(0)
  finish(start)
}

function addBind({ name, values }: Message): void {
  const start = begin(codes.bind)
  addCString('')
  addName(name)
  addInt16(values.length)
  for (const value of values) addInt16(value === null || typeof value === 'string' ? 0 : 1)
  addInt16(values.length)
  for (const value of values) addValue(value)
  addInt16(0)
  finish(start)
}

function addDescribe(): void {
  const start = begin(codes.describe)
  addCString('P')
  finish(start)
}

function addExecute(): void {
  const start = begin(codes.execute)
  addCString('')
  addInt32(0)
  finish(start)
}

function addValue(value: WireValue): void {
  const start = addInt32(-1)
  if (value === null) return
  if (typeof value === 'string') addText(value)
  else {
    reserve(value.length)
    end += value.copy(scratch, end)
  }
  putInt32(start, end - start - 4)
}

function addName(name: string | undefined): void {
  addCString(name === undefined ? '' : namePrefix + name)
}

/** Returns where the length of the message goes. */
function begin(code: number): number {
  reserve(1)
  scratch[end++] = code
  return addInt32(0)
}

function finish(start: number): void {
  putInt32(start, end - start)
}

/** Returns where it is. */
function addInt32(value: number): number {
  reserve(4)
  putInt32(end, value)
  end += 4
  return end - 4
}

function putInt32(at: number, value: number): void {
  scratch[at] = value >>> 24
  scratch[at + 1] = value >>> 16
  scratch[at + 2] = value >>> 8
  scratch[at + 3] = value
}

function addInt16(value: number): void {
  reserve(2)
  scratch[end++] = value >>> 8
  scratch[end++] = value
}

function addCString(text: string): void {
  addText(text)
  reserve(1)
  scratch[end++] = 0
}

function addText(text: string): void {
  reserve(text.length * bytesPerCodeUnit)
  if (text.length <= shortLength && addAscii(text)) return
  end += scratch.write(text, end, 'utf8')
}

/** Most values are short and plain; copying them here takes less time than the call of a native function. */
function addAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > lastAscii) return false
    scratch[end + index] = code
  }
  end += text.length
  return true
}

function reserve(bytes: number): void {
  if (end + bytes <= scratch.length) return
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, end + bytes))
  scratch.copy(larger, 0, 0, end)
  scratch = larger
}
