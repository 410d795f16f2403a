import type { FormEvent } from 'react'
import type { FormValues } from './pending-submissions.ts'

/** A field's trimmed text; empty if the field is empty or not shown. */
export type ReadField = (name: string) => string

export const readForm = (event: FormEvent<HTMLFormElement>): ReadField =>
  readFields(fieldsOf(event.currentTarget))

export const readFields =
  (fields: Readonly<Record<string, string>>): ReadField =>
  (name) =>
    fields[name] ?? ''

function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const data = new FormData(form)
  const texts = [...new Set(data.keys())].map((name) => [name, data.get(name)] as const)
  return Object.fromEntries(
    texts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.trim()]] : [])),
  )
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (one: Element): one is Control =>
  one instanceof HTMLInputElement || one instanceof HTMLSelectElement || one instanceof HTMLTextAreaElement

/** Reads the form, to send it, to show it later and to send it again. */
export function readSubmission(form: HTMLFormElement): FormValues {
  const controls = [...form.elements].filter(isControl)
  return {
    fields: fieldsOf(form),
    shown: controls.flatMap((one) => {
      const label = one.labels?.[0]?.textContent
      const value = one instanceof HTMLSelectElement ? one.selectedOptions[0]?.textContent : one.value
      const isHidden = one.type === 'password' || one.type === 'file' || one.type === 'checkbox'
      return label && value && !isHidden ? [{ label, value }] : []
    }),
  }
}
