const slowMs = 4_000

/** From submission until the next page loads, disables the fields, shows progress on the button and explains a slow provider. */
export function showWork(form: HTMLFormElement, button: HTMLButtonElement): void {
  const slow = form.querySelector<HTMLElement>('[data-slow]')
  const label = button.innerHTML
  let timer: ReturnType<typeof setTimeout> | undefined
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    if (form.getAttribute('aria-busy') === 'true') return event.preventDefault()
    form.setAttribute('aria-busy', 'true')
    button.setAttribute('aria-disabled', 'true')
    button.textContent = button.dataset['working'] ?? ''
    timer = setTimeout(() => {
      if (slow) slow.textContent = slow.dataset['slow'] ?? ''
    }, slowMs)
  })
  // The browser may restore this page from its back/forward cache with the button still disabled.
  window.addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    clearTimeout(timer)
    form.removeAttribute('aria-busy')
    button.removeAttribute('aria-disabled')
    button.innerHTML = label
    if (slow) slow.textContent = ''
  })
}
