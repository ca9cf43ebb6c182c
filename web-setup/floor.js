;(function () {
  var root = document.documentElement
  var needs = root.getAttribute('data-needs')

  /** @param {string} id */
  function find(id) {
    return document.getElementById(id)
  }

  function isNewEnough() {
    if (!('noModule' in document.createElement('script')) || !('at' in [])) return false
    if (needs !== 'console') return true
    if (!CSS.supports('height', '100dvh') || !CSS.supports('container-type', 'inline-size')) return false
    return 'adoptedStyleSheets' in document
  }

  /**
   * @param {string} id
   * @param {boolean} isHidden
   */
  function hide(id, isHidden) {
    var element = find(id)
    if (element) element.hidden = isHidden
  }

  /** @param {'old' | 'broken'} what */
  function tell(what) {
    var box = find('trouble')
    function again() {
      tell(what)
    }
    if (!box) return document.addEventListener('DOMContentLoaded', again)
    hide('trouble-old', what !== 'old')
    hide('trouble-broken', what === 'old')
    hide('loading', true)
    box.className = 'trouble now'
    box.hidden = false
  }

  /** @param {any} part */
  function isPart(part) {
    return part.tagName === 'SCRIPT' || (part.tagName === 'LINK' && part.rel === 'stylesheet')
  }

  /** @param {any} event */
  function onError(event) {
    var box = find('trouble')
    if (event.target && isPart(event.target)) {
      root.setAttribute('data-trouble', 'broken')
      tell('broken')
    } else if (event.filename && event.filename.indexOf(location.origin) === 0 && !(box && box.hidden)) tell('broken')
  }

  function onTrouble() {
    tell('broken')
  }

  /** @param {any} event */
  function onClick(event) {
    if (!event.target.closest || !event.target.closest('#trouble a')) return
    event.preventDefault()
    location.reload()
  }

  if (isNewEnough()) {
    window.addEventListener('error', onError, true)
    window.addEventListener('trouble', onTrouble)
    document.addEventListener('click', onClick)
  } else {
    root.setAttribute('data-trouble', 'old')
    tell('old')
  }
})()
