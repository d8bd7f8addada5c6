<?php

declare(strict_types=1);

namespace App\Mail;

use Psr\Log\LoggerInterface;
use App\Support\{Clock, Retry as RetryPolicy};
use function App\Support\now;

require_once __DIR__ . '/bootstrap.php';

const DEFAULT_FROM = 'noreply@example.com';
define('MAIL_QUEUE', 'mails');

/**
 * What can send a message.
 */
interface Transport extends \Countable
{
    public const TIMEOUT = 10;

    public function send(Message $message): bool;
}

trait LogsFailures
{
    protected ?LoggerInterface $logger = null;

    protected function logFailure(string $why): void
    {
        $this->logger?->error($why);
    }
}

enum Priority: int implements HasLabel
{
    case Low = 1;
    case High = 2;

    public function label(): string
    {
        return ucfirst(strtolower($this->name));
    }
}

/**
 * Sends messages through a transport.
 *
 * @see Transport
 */
#[Service]
final class Mailer extends BaseMailer implements Transport, \JsonSerializable
{
    use LogsFailures;

    private const RETRIES = 3, BACKOFF = 2;
    public static int $sent = 0;
    private array $queue = [], $failed = [];

    public function __construct(
        private readonly Transport $transport,
        protected Clock $clock,
    ) {
        parent::__construct($clock);
    }

    /** Sends one message. */
    #[Override]
    public function send(Message $message): bool
    {
        $copy = new Envelope($message);
        $handler = function (int $try) use ($copy) {
            return $this->transport->send($copy);
        };
        return RetryPolicy::run($handler, self::RETRIES);
    }

    abstract protected function render(string $view);

    public static function fake(): static
    {
        return new static(new NullTransport(), new Clock());
    }
}

/** Queues a message. */
function queue_mail(Message $message, int $delay = 0): void
{
    array_push($GLOBALS[MAIL_QUEUE], $message);
}

$mailer = new class implements Transport {
    public function send(Message $message): bool { return true; }
};
