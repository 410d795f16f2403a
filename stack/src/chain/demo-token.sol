// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.0;

/// A token with six decimals, as USDC has, that anybody may mint: for tests and development only.
/// Compiled with solc 0.8 (optimizer 200 runs, evmVersion paris); the bytecode is in demo-token.ts.
contract DemoToken {
    string public constant name = "Demo USD Coin";
    string public constant symbol = "USDC";
    uint8 public constant decimals = 6;

    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    /// As USDC's issuer can: a transfer to or from a blocked address reverts.
    function setBlocked(address who, bool blocked) external {
        isBlocked[who] = blocked;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(!isBlocked[msg.sender] && !isBlocked[to], "blocked");
        require(balanceOf[msg.sender] >= value, "balance");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }
}
