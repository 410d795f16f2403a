import { createReadStream } from 'node:fs'
import sax from 'sax'
import { unreadableList } from './errors.ts'

/** An element with everything in it. Only the records of a list are kept in memory, one at a time. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: XmlElement[]
  text: string
}

const depthLimit = 20
const recordCharactersLimit = 2_000_000

interface Reading {
  /** The elements that are records, by their names without a prefix. */
  records: ReadonlySet<string>
  onRoot(root: XmlElement): void
  onRecord(record: XmlElement): void
}

/**
 * Reads a list as a stream. A document type is refused wherever it stands, so no entity is declared, fetched or
 * expanded; the parser knows the five entities of XML itself and takes any other for an error.
 */
export async function readXml(path: string, reading: Reading): Promise<void> {
  const parser = sax.parser(true, { xmlns: false, position: true })
  const open: XmlElement[] = []
  let record: XmlElement | undefined
  let size = 0
  const fail = (reason: string): never => {
    throw unreadableList(`${reason} (line ${parser.line + 1})`)
  }
  const grow = (characters: number): void => {
    size += characters
    if (size > recordCharactersLimit) fail('an entry of the list is too large')
  }
  parser.onerror = () => fail('the file is not well-formed XML')
  parser.ondoctype = () => fail('the file declares a document type, which is refused')
  parser.onopentag = (tag) => {
    const element = toElement(tag)
    if (open.length === 0) reading.onRoot(element)
    if (open.length >= depthLimit) fail('the elements of the file are nested too deeply')
    if (record) open.at(-1)?.children.push(element)
    else if (reading.records.has(element.name)) {
      record = element
      size = 0
    }
    grow(element.name.length + JSON.stringify(element.attributes).length)
    open.push(element)
  }
  const onText = (text: string): void => {
    const element = open.at(-1)
    if (!record || !element) return
    grow(text.length)
    element.text += text
  }
  parser.ontext = onText
  parser.oncdata = onText
  parser.onclosetag = () => {
    const closed = open.pop()
    if (!record) size = 0
    if (!closed || closed !== record) return
    record = undefined
    reading.onRecord(closed)
  }
  for await (const chunk of createReadStream(path, 'utf8')) parser.write(String(chunk))
  if (open.length > 0) fail('the file ends before its last element')
  parser.close()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const toElement = ({ name, attributes }: sax.Tag | sax.QualifiedTag): XmlElement => ({
  name: localName(name),
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'string' ? value : value.value]),
  ),
  children: [],
  text: '',
})

/** The elements at the end of the path, such as `akaList/aka`. */
export const elementsAt = (element: XmlElement, path: string): XmlElement[] =>
  path
    .split('/')
    .reduce<XmlElement[]>(
      (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
      [element],
    )

/** The texts at the end of the path, without empty ones. */
export const textsAt = (element: XmlElement, path: string): string[] =>
  elementsAt(element, path)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '')

export const textAt = (element: XmlElement, path: string): string => textsAt(element, path)[0] ?? ''
