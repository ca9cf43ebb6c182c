import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { generate } from 'selfsigned'

/** Where a session stands: before the greeting, at a command, in the middle of the mail, or after its final dot. */
export type Stage = 'greeting' | 'EHLO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'content' | 'dot'

/**
 * What the server does at a stage: it answers with these lines, in one piece or byte by byte. `closes`: it closes the
 * connection. `hangs`: it says nothing.
 */
export type Behaviour = string | { bytes: string }

const USUAL: Readonly<Record<Stage, string>> = {
  greeting: '220 stand-in ESMTP',
  EHLO: '250-stand-in\r\n250 AUTH PLAIN',
  STARTTLS: '454 not now',
  AUTH: '235 welcome',
  MAIL: '250 sender ok',
  RCPT: '250 recipient ok',
  DATA: '354 go ahead',
  content: '',
  dot: '250 taken',
}

const END = '\r\n.\r\n'

/** One connection of a client, read line by line. */
class Session {
  readonly #server: BadMailServer
  #socket: Socket
  #unread = ''
  #isContent = false
  #hasRecipient = true

  constructor(server: BadMailServer, socket: Socket) {
    this.#server = server
    this.#socket = socket
  }

  begin(): void {
    this.#listen()
    this.#reach('greeting')
  }

  #listen(): void {
    const socket = this.#socket
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      this.#unread += chunk.toString('latin1')
      this.#read()
    })
  }

  /** Goes on encrypted, with a certificate that the server made for itself. */
  #encrypt(): void {
    const { certificate } = this.#server
    if (!certificate) throw new Error('a server that says 220 to STARTTLS has a certificate')
    this.#socket.removeAllListeners('data')
    const secure = new TLSSocket(this.#socket, { isServer: true, key: certificate.private, cert: certificate.cert })
    secure.once('secure', () => this.#server.reached.push('encrypted'))
    this.#socket = secure
    this.#listen()
  }

  #read(): void {
    for (;;) {
      if (this.#isContent) {
        if (this.#server.behaviourAt('content') === 'closes') this.#socket.destroy()
        const end = this.#unread.indexOf(END)
        if (end < 0) return
        this.#server.mails.push(this.#unread.slice(0, end))
        this.#unread = this.#unread.slice(end + END.length)
        this.#isContent = false
        this.#reach('dot')
      }
      const end = this.#unread.indexOf('\r\n')
      if (end < 0) return
      const line = this.#unread.slice(0, end)
      this.#unread = this.#unread.slice(end + 2)
      this.#server.commands.push(line)
      this.#command(line.split(/[ :]/, 1)[0]?.toUpperCase() as Stage)
    }
  }

  #command(verb: Stage): void {
    if (!(verb in USUAL)) {
      this.#socket.write('250 as you like\r\n')
      return
    }
    // With PIPELINING it comes before the client has read that the recipient was refused.
    if (verb === 'DATA' && !this.#hasRecipient) {
      this.#socket.write('503 5.5.1 no valid recipients\r\n')
      return
    }
    const answer = this.#reach(verb)
    if (verb === 'RCPT') this.#hasRecipient = answer.startsWith('250')
    if (verb === 'DATA' && answer.startsWith('354')) this.#isContent = true
    if (verb === 'STARTTLS' && answer.startsWith('220')) this.#encrypt()
  }

  /** @returns what it answers there */
  #reach(stage: Stage): string {
    const behaviour = this.#server.behaviourAt(stage)
    this.#server.reached.push(stage)
    if (behaviour === 'hangs') return ''
    if (behaviour === 'closes') {
      this.#socket.destroy()
      return ''
    }
    if (typeof behaviour === 'string') {
      this.#socket.write(`${behaviour}\r\n`, 'latin1')
      return behaviour
    }
    this.#socket.setNoDelay(true)
    for (const byte of `${behaviour.bytes}\r\n`) this.#socket.write(byte, 'latin1')
    return behaviour.bytes
  }
}

/** A mail server that does at each stage of a session what a test says, and elsewhere what mail servers do. */
class BadMailServer {
  #behaviours: Partial<Record<Stage, Behaviour>> = {}
  readonly sockets = new Set<Socket>()
  /** What came to the final dot, whatever it was answered. */
  readonly mails: string[] = []
  /** The stages that sessions have reached, oldest first. */
  readonly reached: (Stage | 'encrypted')[] = []
  /** Its own, for STARTTLS; undefined: it encrypts nothing. */
  certificate: Awaited<ReturnType<typeof generate>> | undefined
  readonly commands: string[] = []
  port = 0

  behaviourAt(stage: Stage): Behaviour {
    return this.#behaviours[stage] ?? USUAL[stage]
  }

  /** From now on, for sessions that are under way too. */
  behave(behaviours: Partial<Record<Stage, Behaviour>>): void {
    this.#behaviours = behaviours
  }

  readonly #listener = createServer((socket) => {
    this.sockets.add(socket)
    socket.once('close', () => this.sockets.delete(socket))
    new Session(this, socket).begin()
  })

  /** Makes a certificate, as packages of mail servers do. */
  async makeCertificate(): Promise<void> {
    const name = [{ name: 'commonName', value: 'mail' }]
    this.certificate = await generate(name, { keyType: 'ec', algorithm: 'sha256' })
  }

  async start(): Promise<void> {
    this.#listener.listen(0, '127.0.0.1')
    await once(this.#listener, 'listening')
    this.port = (this.#listener.address() as AddressInfo).port
  }

  /** @param account `user:password`, percent-encoded */
  url(account = ''): string {
    return `smtp://${account === '' ? '' : `${account}@`}127.0.0.1:${this.port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.#listener.close()
    if (this.#listener.listening) await once(this.#listener, 'close')
  }
}

export type { BadMailServer }

/** Starts one on a free loopback port. */
export const startBadMailServer = async (): Promise<BadMailServer> => {
  const server = new BadMailServer()
  await server.start()
  return server
}
