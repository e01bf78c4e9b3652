<?php
/**
 * Lets the tests use the PHP client. Reads one command per line, its arguments separated by tabs, from standard input.
 * Prints one line per answer (status, code and the data as JSON, separated by tabs), and "." after the answers to a command.
 */

declare(strict_types=1);

error_reporting(E_ALL);
ini_set('display_errors', 'stderr');
require $argv[1] . '/ppai.php';

function printAnswer(Ppai\Answer $answer): void
{
    printLine($answer->status, $answer->code ?? '-', $answer->data);
}

function printLine(int $status, string $code, mixed $data): void
{
    echo $status, "\t", $code, "\t", json_encode($data, JSON_THROW_ON_ERROR), "\n";
}

function printSignatures(string $file): void
{
    foreach (json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR)['cases'] as $case) {
        $body = str_repeat(hex2bin($case['bodyHex']), $case['bodyRepeats'] ?? 1);
        echo Ppai\sign($case['signingSecret'], $case['method'], $case['target'], $case['timestamp'], $case['nonce'], $body), "\n";
    }
}

function execute(Ppai\Registry $registry, string $command, string ...$arguments): void
{
    switch ($command) {
        case 'sign':
            printSignatures($arguments[0]);
            break;
        case 'transmit':
            foreach ($arguments as $file) {
                $first = $registry->transmit(file_get_contents($file), wait: 0);
                printAnswer($first);
                printAnswer($registry->follow($first, deadline: 60));
            }
            break;
        case 'send':
            $body = isset($arguments[2]) ? file_get_contents($arguments[2]) : null;
            printAnswer($registry->send($arguments[0], $arguments[1], $body));
            break;
        case 'changes':
            printAnswer($registry->changes(after: $arguments[0] === '' ? null : $arguments[0], limit: 2, wait: 1));
            break;
    }
}

$names = ['REGISTRY_URL', 'REGISTRY_CLIENT_ID', 'REGISTRY_CLIENT_SECRET', 'REGISTRY_SIGNING_SECRET'];
$registry = new Ppai\Registry(...array_map(fn (string $name): string => (string) getenv($name), $names));
while (($line = fgets(STDIN)) !== false) {
    try {
        execute($registry, ...explode("\t", rtrim($line, "\n")));
    } catch (Ppai\NoAnswer $error) {
        printLine(0, 'NO_ANSWER', ['message' => $error->getMessage()]);
    }
    echo ".\n";
}
